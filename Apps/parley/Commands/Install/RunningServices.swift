// SPDX-License-Identifier: MIT

import Domain

extension SystemManager {
    /// The services of `parley install` that run now; none where there is no systemd.
    static var running: [String] {
        [UserUnit.listenName, UserUnit.syncName].filter {
            SystemTool.run(["systemctl", "--user", "--quiet", "is-active", $0]) == true
        }
    }

    /// Runs a repair, which needs its file alone; if it fails while a service has the file open, the message says how that
    /// one is stopped and started again.
    ///
    /// - Parameters:
    ///   - command: The words of the repair.
    ///   - running: The names of the services that run.
    static func withoutServices<Value>(
        _ command: String, running: () -> [String] = { SystemManager.running }, _ repair: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await repair()
        } catch DomainError.storage(let text) {
            let units = running().joined(separator: " ")
            guard !units.isEmpty else { throw DomainError.storage(text) }
            throw DomainError.storage(
                "\(text) Parley's service runs. Stop it, repair, and start it again: systemctl --user stop \(units); "
                    + "\(command); systemctl --user start \(units)")
        }
    }
}
