// SPDX-License-Identifier: MIT

import Concurrency

/// A replica and the file that it works on: each call is one transaction, and counts only if it is stored.
final class StoredReplica: Sendable {
    let storage: any SyncStorage
    let keys: SecretKeys
    let device: DeviceID
    /// The roster is costly to make, and the file says when another program changed it.
    private let latest = Guarded<Replica?>(nil)

    init(storage: any SyncStorage, keys: SecretKeys) throws(SyncError) {
        (self.storage, self.keys) = (storage, keys)
        device = try keys.publicKeys.device
    }

    /// - Parameter isDurable: False for what the place still has: it is read again if a power failure takes it. Entries and
    ///   records of this device must be on the disk before anybody sees them, or it would write others in their stead.
    func write<Value: Sendable>(
        isDurable: Bool = true, _ body: @escaping @Sendable (inout Replica, any SyncTables) throws -> Value
    ) async throws -> Value {
        let (replica, value) = try await storage.write(isDurable: isDurable) { [self] tables in
            var replica = try latest.withLock { $0 } ?? Replica(keys: keys, tables)
            try replica.refresh(tables)
            let value = try body(&replica, tables)
            return (replica, value)
        }
        latest.withLock { $0 = replica }
        return value
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Replica, any SyncTables) throws -> Value
    ) async throws -> Value {
        try await storage.read { [self] tables in
            var replica = try latest.withLock { $0 } ?? Replica(keys: keys, tables)
            try replica.refresh(tables)
            return try body(replica, tables)
        }
    }
}
