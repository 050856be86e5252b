// SPDX-License-Identifier: MIT

import Concurrency
import Domain

/// The user's systemd, by its command line.
enum SystemManager {
    /// Runs `systemctl --user` with `arguments` and discards its output; throws if it fails.
    static func run(_ arguments: [String]) throws {
        let words = ["systemctl", "--user", "--quiet"] + arguments
        guard SystemTool.run(words) == true else {
            throw DomainError.file(
                "\(words.joined(separator: " ")) failed. Run it in your desktop session to see why.")
        }
    }
}

/// Runs the system's programs without input and output.
enum SystemTool {
    /// Runs the program to its end and discards its output.
    ///
    /// - Returns: True if it succeeded; nil if it is not installed.
    static func run(_ words: [String]) -> Bool? {
        guard let program = words.first else { return nil }
        return (try? ChildProgram(program, Array(words.dropFirst())).start()).map { $0.wait() == .exited(0) }
    }
}
