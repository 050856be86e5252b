// SPDX-License-Identifier: MIT

import Domain

/// The user's systemd, by its command line.
enum SystemManager {
    /// Runs `systemctl --user` with `arguments`; what it writes is lost, its failure is an error.
    static func run(_ arguments: [String]) throws {
        let words = ["systemctl", "--user", "--quiet"] + arguments
        guard SystemTool.run(words) == true else {
            throw DomainError.generationFailed(
                "\(words.joined(separator: " ")) failed. Run it in your desktop session to see why.")
        }
    }
}
