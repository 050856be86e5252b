// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
public import Diagnostics
import Security

extension ParleyServer {
    /// Makes a new signing key the current one, in a server's folder or in the database that its instances share.
    ///
    /// A running server loads it by ``reloadKeys()``. Instances on a shared database load it by themselves within half
    /// a minute, and sign with it after two minutes, when all know it.
    ///
    /// - Parameters:
    ///   - database: The URL of the shared database; nil for the folder alone.
    ///   - rootKey: The key that the instances share; nil for the folder's own.
    public static func rotateKeys(
        home: String, database: String? = nil, rootKey: ServerRootKey? = nil, clock: AuthClock = .system,
        logger: Logger = .disabled
    ) async throws {
        let lock = try HomeLock(home, for: .keys)
        defer { lock.release() }
        let secrets = try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
        let shared: PostgresServerDatabase? =
            if let database { try await PostgresServerDatabase.open(database, logger: logger) } else { nil }
        try await withCleanup {
            let keys = try await ServerKeys(in: secrets, root: rootKey, database: shared)
            // Not in this task, which may be cancelled between the key and its record.
            let rotation = Task {
                var now = clock.now()
                if let shared { now = try await DatabaseClock(shared, wall: clock, monotonic: .monotonic).clock.now() }
                try await keys.rotate(at: now, tokenLifetime: AuthPolicy().accessTokenLifetime)
                let schedule = try await keys.signing(at: now)
                if let key = try (schedule.next?.keys ?? schedule.present).published.first {
                    let store = shared.map { AuditStore(database: $0) }
                    let audit = AuditLog(logger, store: store, clock: AuthClock { [now] in now })
                    audit.record(.keyRotated(key: key.kid))
                    await audit.flush()
                }
            }
            try await rotation.value
        } cleanup: {
            await shared?.close()
        }
    }
}
