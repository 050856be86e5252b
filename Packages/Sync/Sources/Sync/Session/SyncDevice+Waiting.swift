// SPDX-License-Identifier: MIT

public import Persistence

extension SyncDevice {
    /// The number of a device's own entries that the place has not promised to keep yet. Needs no keys.
    public static func waitingEntryCount(of device: DeviceID, in database: Database) async throws -> Int {
        try await database.read { connection in
            let count = try connection.first(
                "SELECT max(sequence - confirmed, 0) FROM sync_log WHERE device = \(device.bytes)", as: Int.self)
            return count ?? 0
        }
    }
}
