// SPDX-License-Identifier: MIT

import SyncWire

/// The group of devices that a recovery phrase belongs to, as the records at a place tell.
///
/// A phrase is a member that cannot be removed: it reads every epoch's key, and adds a device in its own name.
struct Recovery: Sendable {
    let founding: MembershipRecord
    private let roster: Roster

    /// The group among these records whose founder named the phrase's keys. Records that do not fit are passed over.
    ///
    /// - Throws: ``SyncError`` with the code `notFound` if there is none, `newer` if a record needs a newer program.
    init(_ keys: SecretKeys, records: [[UInt8]]) throws(SyncError) {
        var genuine: [MembershipRecord] = []
        for bytes in records {
            do throws(SyncError) { genuine.append(try MembershipRecord(bytes)) } catch {
                guard error.code == .invalid else { throw error }
            }
        }
        let founding = genuine.first { record in
            guard case .founding(_, let recovery) = record.change, recovery == keys.publicKeys else { return false }
            return (try? MembershipGraph(founding: record)) != nil
        }
        guard let founding else {
            throw SyncError(
                code: .notFound,
                message:
                    "No group of devices at this place has this phrase. Check the place, and that the phrase is this "
                    + "group's.")
        }
        var roster = try Roster(founding: founding, reader: .recovery, keys: keys)
        for record in genuine where record.groupID == founding.hash { _ = try? roster.insert(record) }
        (self.founding, self.roster) = (founding, roster)
    }

    /// The devices of the group, by name.
    var devices: [RecoveredGroup.Device] {
        roster.membership.active.map { RecoveredGroup.Device(device: $0, name: roster.ring.names[$0] ?? "") }
    }

    /// The record that adds a device; nil if one at the place does.
    ///
    /// - Throws: ``SyncError`` with the code `notMember` for a device that was removed.
    func addition(of keys: PublicKeys, name: String) throws(SyncError) -> MembershipRecord? {
        let device = try keys.device
        guard let member = roster.membership.members[device] else {
            return try roster.makeRecord(.addition(keys), names: [device: PairingMessage.cleanName(name)], heads: [:])
        }
        guard member.isActive else {
            throw SyncError(
                code: .notMember,
                message: "This device was removed from the group once. Leave, so that it gets new keys, and try again.")
        }
        return nil
    }

    fileprivate static func records(over transport: any SyncTransport) async throws -> [[UInt8]] {
        var names: Set<SyncObjectName> = []
        var cursor: SyncCursor?
        while true {
            let listing = try await transport.list(after: cursor)
            if listing.isWhole { names = [] }
            for object in listing.objects { if case .membership = object.name { names.insert(object.name) } }
            cursor = listing.cursor
            guard listing.hasMore else { break }
        }
        var records: [[UInt8]] = []
        for name in names.sorted(by: { $0.text < $1.text }) { records.append(try await transport.read(name)) }
        return records
    }
}

/// The group that a recovery phrase brought this device into.
public struct RecoveredGroup: Sendable, Hashable {
    /// A device of the group.
    public struct Device: Sendable, Hashable {
        /// The device.
        public let device: DeviceID
        /// Its name, or nothing.
        public let name: String
    }

    /// The group.
    public let group: Hash
    /// The devices that belonged to it, among them those that are lost.
    public let others: [Device]
}

extension RecoveryPhrase {
    /// Adds this device to the group of devices at a place, without another device.
    ///
    /// After a crash the same call goes on, given the same keys. So store the keys before. Devices that are lost stay in
    /// the group until somebody removes them.
    ///
    /// - Parameters:
    ///   - keys: This device's keys.
    ///   - name: This device's name, for the group alone.
    ///   - join: Begins to follow the group with this founding record. It may be called again for the same group.
    /// - Throws: ``SyncError`` with the code `notFound` if no group at the place has the phrase, `notMember` if this
    ///   device was removed from it, `newer`, and those of the transport; the errors of the closure.
    public func use(
        keys: SecretKeys, name: String, over transport: any SyncTransport,
        join: @Sendable (_ group: Hash, _ founding: [UInt8]) async throws -> Void
    ) async throws -> RecoveredGroup {
        let recovery = try Recovery(secretKeys, records: await Recovery.records(over: transport))
        if let record = try recovery.addition(of: keys.publicKeys, name: name) {
            try await transport.create(record.name, record.bytes)
        }
        try await join(recovery.founding.hash, recovery.founding.bytes)
        let device = try keys.publicKeys.device
        return RecoveredGroup(
            group: recovery.founding.hash, others: recovery.devices.filter { $0.device != device })
    }
}
