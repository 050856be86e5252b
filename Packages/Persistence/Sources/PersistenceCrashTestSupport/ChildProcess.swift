// SPDX-License-Identifier: MIT

import Glibc

/// A victim, and its output so far.
final class ChildProcess {
    let workload: Workload
    private let process: pid_t
    private let output: Int32
    private var said: [UInt8] = []

    init(path: String, workload: Workload) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("no pipe: errno \(errno)") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        let words = ["/proc/self/exe", "run", path, "\(workload.writer)", "\(workload.seed)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let result = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ)
        close(ends[1])
        guard result == 0 else { throw Failure("no child process: errno \(result)") }
        self.process = process
        self.workload = workload
        output = ends[0]
    }

    /// Waits until the child has reported so many commits.
    func wait(for count: Int) throws {
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            guard try hear() else { throw Failure("the child ended by itself") }
        }
    }

    /// Kills the child with SIGKILL, and returns the last commit that it acknowledged, if any.
    func kill() throws -> Int? {
        Glibc.kill(process, SIGKILL)
        while try hear() {}
        close(output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status & 0x7F == SIGKILL else { throw Failure("the child ended by itself, status \(status)") }
        return String(decoding: said, as: UTF8.self).split(separator: "\n").last.flatMap { Int($0) }
    }

    private func hear() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure("cannot hear the child: errno \(errno)") }
            said += buffer.prefix(count)
            return count > 0
        }
    }
}

/// The reason for a failed soak run.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
