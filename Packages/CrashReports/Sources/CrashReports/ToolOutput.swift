// SPDX-License-Identifier: MIT

internal import Concurrency
internal import Glibc

/// The output of a program that reads symbols.
enum ToolOutput {
    private static let mostBytes = 1_024 * 1_024

    /// The standard output; nil if the program does not exist or fails. No environment variable reaches it. Blocks.
    static func text(of program: String, _ arguments: [String]) -> String? {
        guard let pipe = try? ChildProgram.pipe() else { return nil }
        defer { close(pipe.read) }
        var child = ChildProgram(program, arguments, environment: [:])
        child.output = .descriptor(pipe.write)
        let running = try? child.start()
        close(pipe.write)
        guard let running else { return nil }
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while output.count < mostBytes {
            let count = read(pipe.read, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            output += part[..<count]
        }
        if output.count >= mostBytes { running.signal(SIGKILL) }
        return running.wait() == .exited(0) ? String(decoding: output, as: UTF8.self) : nil
    }
}
