// SPDX-License-Identifier: MIT

public import Persistence
import SyncWire

/// This device's part of a group of devices that have the same records: it writes changes, reads what all of them come
/// to, and exchanges both with the others at a place that need not be trusted.
///
/// Everything works without the place; ``sync(with:now:isWhole:)`` is the only call that needs it. Several programs of one
/// device may use one database. Failures are a ``SyncError``, a `DatabaseError` or `CancellationError`.
public final class SyncDevice: Sendable {
    let replica: StoredReplica
    private let policy = SyncPolicy()

    /// The tables; a program adds them to the migrations of its database.
    public static var migrations: [Migration] { SyncSchema.migrations }

    /// This device's id.
    public var id: DeviceID { replica.device }

    private init(_ replica: StoredReplica) { self.replica = replica }

    // MARK: Beginning

    /// Begins a group, of which this device is the first.
    ///
    /// - Parameters:
    ///   - database: Has ``migrations``, and no group yet.
    ///   - keys: Fresh ones; the caller keeps them in a `SecretStore`.
    ///   - recovery: The public keys of the recovery phrase.
    ///   - name: The device's name, which only the devices of the group can read; at most 64 characters.
    /// - Throws: ``SyncError`` with the code `exists` if the database has a group.
    public static func found(
        in database: Database, keys: SecretKeys, recovery: PublicKeys, name: String
    ) async throws -> SyncDevice {
        let replica = try StoredReplica(storage: SQLiteSyncStorage(database: database), keys: keys)
        let name = try DeviceName.checked(name)
        try await replica.storage.write(isDurable: true) { tables in
            try requireNoGroup(tables)
            _ = try Replica.found(keys: keys, recovery: recovery, name: name, tables)
        }
        return SyncDevice(replica)
    }

    /// Joins a group to which another device adds this one; it can write after the next exchange that finds it added.
    ///
    /// - Parameters:
    ///   - group: The group's id, from a device that the person trusts.
    ///   - founding: The group's first record, from the place.
    public static func join(
        group: Hash, founding: [UInt8], in database: Database, keys: SecretKeys
    ) async throws -> SyncDevice {
        let replica = try StoredReplica(storage: SQLiteSyncStorage(database: database), keys: keys)
        try await replica.storage.write(isDurable: true) { tables in
            try requireNoGroup(tables)
            try Replica.join(group: group, founding: founding, tables)
        }
        return SyncDevice(replica)
    }

    /// Opens the group of a database.
    ///
    /// - Throws: ``SyncError`` with the code `notMember` if there is none.
    public static func open(in database: Database, keys: SecretKeys) async throws -> SyncDevice {
        let replica = try StoredReplica(storage: SQLiteSyncStorage(database: database), keys: keys)
        _ = try await replica.read { replica, _ in replica.group }
        return SyncDevice(replica)
    }

    private static func requireNoGroup(_ tables: any SyncTables) throws {
        guard try tables.value(.group) == nil else {
            throw SyncError(code: .exists, message: "This device belongs to a group already. Leave it first.")
        }
    }

    // MARK: Records

    /// Stores changes on this device, durably; the others get them with the next exchange.
    ///
    /// - Parameter now: The machine's clock in milliseconds since 1970. It may be wrong.
    /// - Throws: ``SyncError`` with the code `notMember` before the device was added and after it was removed, `tooLarge`
    ///   for a change of more than 3 MiB.
    public func write(_ changes: [SyncChange], now: Int64) async throws {
        try await replica.write { try $0.write(changes, now: now, $1) }
    }

    /// A record as all changes that this device knows come to; nil if there is none, or its container was erased.
    public func record(_ key: SyncRecordKey) async throws -> SyncRecord? {
        try await replica.read { try SyncRecord(key, $1) }
    }

    /// The records that changed since a number of this device's, in the order of their last change.
    ///
    /// - Parameters:
    ///   - number: 0, or the number of the last change that the caller has taken over.
    ///   - limit: The most records.
    public func changes(after number: UInt64, limit: Int = 500) async throws -> [SyncRecordChange] {
        try await replica.read { _, tables in
            try tables.changed(after: number, limit: limit).filter { $0.record.kind != SyncRecordKey.acknowledgement }
                .map { try SyncRecordChange($0, tables) }
        }
    }

    /// True if a change has this number or a later one; false once a power failure took it from this device's disk.
    public func hasChange(_ number: UInt64) async throws -> Bool {
        try await replica.read { _, tables in
            try number == 0 || !tables.changed(after: number - 1, limit: 1).isEmpty
        }
    }

    /// Makes all changes that have a number survive power loss, so that another file can refer to their numbers.
    public func secureChanges() async throws {
        // A transaction that writes nothing would not wait for the disk.
        try await replica.storage.write(isDurable: true) { try $0.setClock($0.clock) }
    }

    // MARK: Exchange

    /// Exchanges everything with the place.
    ///
    /// - Parameters:
    ///   - now: The machine's clock in milliseconds since 1970.
    ///   - isWhole: True to compare everything at the place with what it promised to keep, and to tidy up; at each start,
    ///     say, and once a day.
    public func sync(
        with transport: some SyncTransport, now: @escaping @Sendable () -> Int64, isWhole: Bool
    ) async throws -> ExchangeReport {
        let round = SyncRound(
            replica: replica, transport: transport, now: now, isWhole: isWhole, acknowledges: true, policy: policy)
        let outcome = try await round()
        // Beside a program that reads, what was erased stays in the log until the next time.
        if isWhole { try? await replica.storage.emptyLog() }
        return ExchangeReport(
            findings: outcome.findings, newerCount: outcome.newer, readCount: outcome.read,
            writtenCount: outcome.written)
    }

    /// The entries that wait on this device.
    public func status() async throws -> SyncStatus {
        try await replica.read { replica, tables in
            let own = try replica.log(of: replica.device, tables)
            let membership = replica.roster.membership
            return SyncStatus(
                waitingEntryCount: Int(own.head.sequence - min(own.confirmed, own.head.sequence)),
                isMember: membership.members[replica.device].map(\.isActive),
                entriesWithoutKey: try tables.entries(in: .withoutKey).count,
                entriesOfNewerPrograms: try tables.entries(in: .newer).count,
                objectsWithoutRecord: try replica.waitingForRecord(tables))
        }
    }

    /// A clock that the last exchange found to be wrong; nil if all were right. Needs no keys.
    public static func clockWarning(in database: Database) async throws -> ClockWarning? {
        try await SQLiteSyncStorage(database: database).read { try $0.clockWarning }
    }

    /// The number of a device's own entries that the place has not promised to keep yet. Needs no keys.
    public static func waitingEntryCount(of device: DeviceID, in database: Database) async throws -> Int {
        try await database.read { connection in
            let count = try connection.first(
                "SELECT max(sequence - confirmed, 0) FROM sync_log WHERE device = \(device.bytes)", as: Int.self)
            return count ?? 0
        }
    }

    // MARK: Devices

    /// The devices of the group, those that were removed included, in the order of their ids.
    public func devices() async throws -> [SyncDeviceSummary] {
        try await replica.read { replica, tables in
            let seen = try replica.lastStamps(tables)
            return replica.roster.membership.members.sorted { $0.key < $1.key }.map { id, member in
                SyncDeviceSummary(
                    id: id, name: replica.roster.ring.names[id], isActive: member.isActive,
                    isThisDevice: id == replica.device, lastSeen: seen[id])
            }
        }
    }

    /// Adds a device whose keys a person confirmed.
    public func add(_ keys: PublicKeys, name: String) async throws {
        let name = try DeviceName.checked(name)
        try await replica.write { replica, tables in
            try replica.requireMembership()
            guard replica.roster.membership.members[try keys.device] == nil else {
                throw SyncError(code: .exists, message: "This device belongs to the group, or was removed from it.")
            }
            try replica.change(.addition(keys, name: name), tables)
        }
    }

    /// Removes a device, this one included: what it writes from now on counts for nobody, and it can read nothing that is
    /// written from now on. What it has read before, it keeps.
    ///
    /// - Throws: ``SyncError`` with the code `notFound` for a device that is not in the group.
    public func remove(_ device: DeviceID) async throws {
        try await replica.write { replica, tables in
            try replica.requireMembership()
            guard replica.roster.membership.isActive(device) else {
                throw SyncError(code: .notFound, message: "There is no such device in the group.")
            }
            try replica.change(.revocation(device), tables)
        }
    }

    /// The group's id and its first record, for a device that is about to join.
    public func invitation() async throws -> (group: Hash, founding: [UInt8]) {
        try await replica.read { replica, _ in
            guard let record = replica.roster.graph.records[replica.group] else {
                throw SyncError.invalid("the founding record is missing")
            }
            return (replica.group, record.bytes)
        }
    }
}
