// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// The output of a short-lived program of the system.
enum ChildOutput {
    /// Runs `program` of the search path in the C locale and returns its standard output; nil if it is missing, fails,
    /// or has not ended after two seconds.
    static func run(_ program: String, _ arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var environment = self.environment().map { strdup($0) } + [nil]
        defer { for text in argv + environment { free(text) } }
        var child = pid_t()
        let code = posix_spawnp(&child, program, &actions, nil, &argv, &environment)
        close(ends[1])
        guard code == 0 else { return nil }
        let text = read(ends[0], within: 2_000)
        if text == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? text : nil
    }

    private static func read(_ descriptor: Int32, within milliseconds: Int64) -> String? {
        var text: [UInt8] = []
        let start = ContinuousClock.now
        while true {
            let left = milliseconds - Int64((ContinuousClock.now - start) / .milliseconds(1))
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left)) > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: 16_384)
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            // More than a megabyte is not a plausible list of devices.
            guard count >= 0, text.count < 1 << 20 else { return nil }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += piece[..<count]
        }
    }

    private static func environment() -> [String] {
        var entries = ["LC_ALL=C"]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !text.hasPrefix("LC_ALL=") { entries.append(text) }
            next += 1
        }
        return entries
    }
}
