// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// The user's systemd, by its command line.
enum SystemManager {
    /// Runs `systemctl --user` with `arguments` and discards its output; throws if it fails.
    static func run(_ arguments: [String]) throws {
        let words = ["systemctl", "--user", "--quiet"] + arguments
        guard SystemTool.run(words) == true else {
            throw DomainError.generationFailed(
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var child = pid_t()
        var status: Int32 = -1
        guard posix_spawnp(&child, words[0], &actions, nil, &argv, environ) == 0 else { return nil }
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
