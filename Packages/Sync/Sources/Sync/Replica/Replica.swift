// SPDX-License-Identifier: MIT

import Security
import SyncWire

/// The rules of sync on one device: what it writes, what it believes, what it merges. Pure but for the tables that each
/// call works on, within one transaction; ``SyncSession`` does what takes time.
struct Replica: Sendable {
    /// This device.
    let device: DeviceID
    let keys: SecretKeys
    var roster: Roster
    private var recordCount: Int

    /// The replica of a device that belongs to a group, or is about to.
    ///
    /// - Throws: ``SyncError`` with the code `notMember` if the tables have no group.
    init(keys: SecretKeys, _ tables: some SyncTables) throws {
        self.keys = keys
        device = try keys.publicKeys.device
        let records = try tables.membershipRecords()
        guard let group = try tables.value(.group).flatMap({ Hash($0) }),
            let roster = try Roster(records: records, group: group, reader: .device(device), keys: keys)
        else {
            throw SyncError(
                code: .notMember, message: "This device belongs to no group of devices. Found one, or be added to one.")
        }
        self.roster = roster
        recordCount = records.count
    }

    /// Begins a group, of which this device is the first.
    ///
    /// - Parameter name: The device's name, for the other devices of the group alone.
    static func found(
        keys: SecretKeys, recovery: PublicKeys, name: String, _ tables: some SyncTables
    ) throws -> Replica {
        let record = try Roster.makeFounding(device: keys, recovery: recovery, name: name)
        try tables.set(.group, record.hash.bytes)
        try store(record, tables)
        try tables.setOutgoing(record.name.text, record.bytes)
        return try Replica(keys: keys, tables)
    }

    /// Begins to follow a group to which another device added this one; its records are read at the place.
    static func join(group: Hash, founding record: [UInt8], _ tables: some SyncTables) throws {
        let record = try MembershipRecord(record)
        guard record.hash == group else { throw SyncError.invalid("the place has another group of devices") }
        try tables.set(.group, group.bytes)
        try store(record, tables)
    }

    /// The group.
    var group: Hash { roster.membership.group }

    /// Reads the records of devices again if another program of this device has stored some.
    mutating func refresh(_ tables: some SyncTables) throws {
        guard try tables.membershipCount != recordCount else { return }
        self = try Replica(keys: keys, tables)
    }

    static func store(_ record: MembershipRecord, _ tables: some SyncTables) throws {
        try tables.insertMembership(record.bytes, hash: record.hash)
        try tables.setCount(tables.membershipCount + 1)
    }

    mutating func counted(_ tables: some SyncTables) throws { recordCount = try tables.membershipCount }

    // MARK: Writing

    /// Appends changes to this device's log and merges them.
    ///
    /// - Parameter now: The machine's clock in milliseconds since 1970.
    /// - Throws: ``SyncError`` with the code `notMember` on a device that was revoked, `tooLarge` for a change that does
    ///   not fit into an entry.
    mutating func write(_ changes: [SyncChange], now: Int64, _ tables: some SyncTables) throws {
        try refresh(tables)
        guard let member = roster.membership.members[device] else {
            throw SyncError(code: .notMember, message: "No other device has added this one yet. Sync again later.")
        }
        guard member.isActive else {
            throw SyncError(code: .notMember, message: "Another device removed this one. Leave, and be added anew.")
        }
        if roster.writingEpoch == nil { try change(.rekeying, tables) }
        guard let epoch = roster.writingEpoch else { throw SyncError.invalid("there is no key to write with") }
        for part in try Self.parts(of: changes) { try append(part, epoch: epoch, now: now, tables) }
    }

    private mutating func append(
        _ changes: [SyncChange], epoch: Hash, now: Int64, _ tables: some SyncTables
    ) throws {
        let prefix = Array(epoch.bytes.prefix(KeyRing.prefixByteCount))
        guard let cipher = try roster.cipher(of: device, in: epoch) else { return }
        var clock = try tables.clock
        let content = EntryContent(stamp: try clock.tick(now: now, device: device), changes: changes)
        try tables.setClock(clock)
        var state = try log(of: device, tables)
        let sealed = SealedEntry(epoch: prefix, box: try cipher.seal(content, sequence: state.head.sequence + 1))
        state.head = try state.head.appending(sealed)
        let entry = StoredEntry(
            sequence: state.head.sequence, sealed: sealed, hash: state.head.hash, state: .merged)
        try tables.insert(entry, of: device)
        if content.saysMoreThanSeen { state.content = entry.sequence }
        try tables.set(state, for: device)
        try merge(content, at: entry.sequence, tables)
    }

    /// Changes in parts that fit into an entry, each record once in a part.
    private static func parts(of changes: [SyncChange]) throws -> [[SyncChange]] {
        var parts: [[SyncRecordKey: [SyncField: [UInt8]]]] = [[:]]
        var count = 0
        for change in changes {
            let size = 100 + change.fields.values.reduce(0) { $0 + $1.count + 10 }
            guard size <= EntryContent.byteLimit, change.fields.count <= 1_000 else {
                throw SyncError(
                    code: .tooLarge, message: "A change has at most \(EntryContent.byteLimit) bytes; this has \(size).")
            }
            if count + size > EntryContent.byteLimit {
                parts.append([:])
                count = 0
            }
            count += size
            parts[parts.count - 1][change.record, default: [:]].merge(change.fields) { $1 }
        }
        return parts.filter { !$0.isEmpty }.map { part in part.map { SyncChange($0.key, $0.value) } }
    }

    // MARK: The group

    /// Changes the group of devices; the change is believed here at once and goes to the place with the next round.
    mutating func change(
        _ change: MembershipChange, _ tables: some SyncTables
    ) throws {
        switch change {
        case .addition(let keys, let name):
            try self.change(.addition(keys), names: [keys.device: name], tables)
        case .revocation(let device):
            let last = max(try tables.logs()[device]?.head.sequence ?? 0, roster.seen(of: device))
            try self.change(.revocation(device, lastSequence: last), tables)
        }
    }

    mutating func change(
        _ change: MembershipRecord.Change, names: [DeviceID: String] = [:], _ tables: some SyncTables
    ) throws {
        // Of its own log what the place has: the rest may never get there.
        let heads = try tables.logs().reduce(into: [:]) { heads, log in
            heads[log.key] = log.key == device ? log.value.confirmed : log.value.head.sequence
        }
        let record = try roster.makeRecord(change, names: names, heads: heads)
        try tables.setOutgoing(record.name.text, record.bytes)
        try take(record, tables)
    }

    func log(of device: DeviceID, _ tables: some SyncTables) throws -> LogState {
        if let state = try tables.logs()[device] { return state }
        return LogState(
            head: try .start(group: group, device: device), base: 0, limit: roster.lastSequence(of: device),
            confirmed: 0, content: 0)
    }
}

/// A change of the group that a person asks for.
enum MembershipChange: Sendable {
    /// A device joins, under this name.
    case addition(PublicKeys, name: String)
    /// A device is removed: what it writes from now on counts for nobody, and it reads nothing that is written from now
    /// on.
    case revocation(DeviceID)
}

extension MembershipRecord {
    var name: SyncObjectName { .membership(hash: hash.bytes) }
}

extension EntryContent {
    /// False if the entry only says what its device has seen.
    var saysMoreThanSeen: Bool { changes.contains { $0.record.kind != SyncRecordKey.acknowledgement } }
}

extension SyncTables {
    var membershipCount: Int {
        get throws { try value(.membershipCount).map { bytes in bytes.reduce(0) { $0 << 8 | Int($1) } } ?? 0 }
    }

    func setCount(_ count: Int) throws {
        try set(.membershipCount, [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) })
    }

    var clock: HybridClock {
        get throws {
            guard let bytes = try value(.clock) else { return HybridClock() }
            var reader = ByteReader(bytes)
            return HybridClock(milliseconds: try reader.number(), counter: try reader.number(as: UInt32.self))
        }
    }

    func setClock(_ clock: HybridClock) throws {
        var writer = ByteWriter()
        writer.write(clock.milliseconds)
        writer.write(UInt64(clock.counter))
        try set(.clock, writer.bytes)
    }
}
