// SPDX-License-Identifier: MIT

/// A record as all known changes come to.
public struct SyncRecord: Sendable, Hashable {
    /// The record's kind and id.
    public let key: SyncRecordKey
    /// Each field's values: the first one counts, the others were overwritten, the newest first.
    public let fields: [SyncField: [SyncVersion]]

    /// The value that counts; nil for a field that was never set.
    public subscript(field: SyncField) -> [UInt8]? { fields[field]?.first?.value }

    init?(_ key: SyncRecordKey, _ tables: some SyncTables) throws {
        let erasures = key.kind == SyncRecordKey.erasure ? [] : key.containers
        for container in erasures {
            let erasure = SyncRecordKey(kind: SyncRecordKey.erasure, id: container)
            guard try tables.versions(of: erasure).isEmpty else { return nil }
        }
        let versions = try tables.versions(of: key)
        guard !versions.isEmpty else { return nil }
        self.key = key
        var fields: [SyncField: [SyncVersion]] = [:]
        for (field, all) in versions { fields[field] = field.ranked(all) }
        self.fields = fields
    }
}

/// A record that changed.
public struct SyncRecordChange: Sendable, Hashable {
    /// The change's number on this device.
    public let number: UInt64
    /// The record's kind and id. For an erased container this is the record that says so.
    public let key: SyncRecordKey
    /// The record now; nil if it is gone.
    public let record: SyncRecord?

    /// In an erased container, the records that the place did not have yet when another device's erasure arrived: that
    /// device cannot have seen them.
    public let unsent: [SyncRecordKey]

    init(_ change: (number: UInt64, record: SyncRecordKey), _ tables: some SyncTables) throws {
        (number, key) = change
        record = try SyncRecord(change.record, tables)
        let isErasure = change.record.kind == SyncRecordKey.erasure
        unsent = isErasure ? try tables.unsent().filter { $0.id.starts(with: change.record.id) } : []
    }

    /// The container that was erased; nil for any other change.
    public var erasedContainer: [UInt8]? { key.kind == SyncRecordKey.erasure && record != nil ? key.id : nil }
}

/// The result of an exchange.
public struct ExchangeReport: Sendable, Hashable {
    /// Facts that a person should know about the place or another device.
    public let findings: [SyncFinding]
    /// The number of objects that only a newer program can read.
    public let newerCount: Int
    /// The number of objects that were read.
    public let readCount: Int
    /// The number of objects that were written.
    public let writtenCount: Int
}

/// The entries that wait on a device.
public struct SyncStatus: Sendable, Hashable {
    /// Entries that the place has not promised to keep yet.
    public let waitingEntryCount: Int
    /// False for a device that was removed; nil for one that was not added yet.
    public let isMember: Bool?
    /// Entries of others whose key has not arrived.
    public let entriesWithoutKey: Int
    /// Entries of others that need a newer program.
    public let entriesOfNewerPrograms: Int
    /// Objects at the place that wait for a record of devices that is not there, or not yet.
    public let objectsWithoutRecord: Int
}

/// A device of a group.
public struct SyncDeviceSummary: Sendable, Hashable {
    /// Its id.
    public let id: DeviceID
    /// Its name; nil if this device cannot read it.
    public let name: String?
    /// False if it was removed.
    public let isActive: Bool
    /// True for the device that was asked.
    public let isThisDevice: Bool
    /// The time of the last thing that this device has of it, by that device's clock: milliseconds since 1970.
    public let lastSeen: UInt64?
}

extension Replica {
    func requireMembership() throws(SyncError) {
        guard let member = roster.membership.members[device] else {
            throw SyncError(code: .notMember, message: "No other device has added this one yet. Sync again later.")
        }
        guard member.isActive else {
            throw SyncError(code: .notMember, message: "Another device removed this one. Leave, and be added anew.")
        }
    }

    /// The time of each device's last acknowledgement.
    func lastStamps(_ tables: some SyncTables) throws -> [DeviceID: UInt64] {
        var stamps: [DeviceID: UInt64] = [:]
        for device in roster.membership.members.keys {
            let record = SyncRecordKey(kind: SyncRecordKey.acknowledgement, id: device.bytes)
            stamps[device] = try tables.versions(of: record).values.joined().map(\.stamp.milliseconds).max()
        }
        return stamps
    }
}
