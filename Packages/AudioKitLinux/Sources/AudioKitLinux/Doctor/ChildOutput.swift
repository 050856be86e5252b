// SPDX-License-Identifier: MIT
import CALSA
import Concurrency
import FoundationEssentials
import Glibc

/// The output of a short-lived program of the system.
enum ChildOutput {
    /// Runs `program` of the search path in the C locale and returns its standard output; nil if it is missing, fails,
    /// or has not ended after two seconds.
    static func run(_ program: String, _ arguments: [String]) -> String? {
        guard let ends = try? ChildProgram.pipe() else { return nil }
        defer { close(ends.read) }
        var child = ChildProgram(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 })
        child.output = .descriptor(ends.write)
        let running = try? child.start()
        close(ends.write)
        guard let running else { return nil }
        let text = read(ends.read, within: 2_000)
        if text == nil { running.signal(SIGKILL) }
        return running.wait() == .exited(0) ? text : nil
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
}
