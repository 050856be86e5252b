// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// The user's systemd, by its command line.
enum SystemManager {
    /// Runs `systemctl --user` with `arguments`; what it writes is lost, its failure is an error.
    static func run(_ arguments: [String]) throws {
        let words = ["systemctl", "--user", "--quiet"] + arguments
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
        if posix_spawnp(&child, "systemctl", &actions, nil, &argv, environ) == 0 {
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        guard status == 0 else {
            throw DomainError.generationFailed(
                "\(words.joined(separator: " ")) failed. Run it in your desktop session to see why.")
        }
    }
}
