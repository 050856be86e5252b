// SPDX-License-Identifier: MIT

extension Replica {
    /// The group as this device offers it to a new one.
    var pairingGroup: PairingGroup {
        PairingGroup(
            group: group, founding: roster.graph.records[group]?.bytes ?? [], device: device,
            name: roster.ring.names[device] ?? "")
    }

    /// Adds a device that a person let in. A device that belongs to the group already is not added again.
    ///
    /// - Returns: The record that added it.
    /// - Throws: ``SyncError`` with the code `notMember` if this device or the other one was removed from the group.
    mutating func admit(_ keys: PublicKeys, name: String, _ tables: some SyncTables) throws -> Hash {
        try refresh(tables)
        let device = try keys.device
        try requireMembership()
        if roster.membership.members[device] == nil {
            try change(.addition(keys, name: name.isEmpty ? "\(device)" : name), tables)
        }
        guard roster.membership.isActive(device) else {
            throw SyncError(
                code: .notMember,
                message: "The new device was removed from this group once. Leave on it, so that it gets new keys.")
        }
        let record = roster.membership.accepted.first { roster.graph.records[$0]?.change.addedKeys == keys }
        guard let record else { throw SyncError.invalid("the record of the new device is missing") }
        return record
    }

    /// Begins to follow a group; nothing changes for a device that follows it already.
    ///
    /// - Throws: ``SyncError`` with the code `exists` on a device that follows another group.
    static func joinOnce(group: Hash, founding record: [UInt8], _ tables: some SyncTables) throws {
        guard let current = try tables.value(.group) else {
            return try join(group: group, founding: record, tables)
        }
        guard current == group.bytes else {
            throw SyncError(
                code: .exists, message: "This device belongs to another group of devices. Leave that one first.")
        }
    }
}
