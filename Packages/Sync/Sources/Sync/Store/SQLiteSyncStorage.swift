// SPDX-License-Identifier: MIT

import Persistence

/// ``SyncTables`` in a database.
struct SQLiteSyncStorage: SyncStorage {
    let database: Database

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SyncTables) throws -> Value) async throws -> Value {
        try await database.read { try body(SQLiteSyncTables($0, nil)) }
    }

    func write<Value: Sendable>(
        isDurable: Bool, _ body: @escaping @Sendable (any SyncTables) throws -> Value
    ) async throws -> Value {
        try await database.write(durability: isDurable ? .full : .normal) { try body(SQLiteSyncTables($0, $0)) }
    }

    func emptyLog() async throws { try await database.emptyLog() }
}

/// The tables within one transaction.
final class SQLiteSyncTables: SyncTables {
    private let connection: Connection
    private let writer: WritableConnection?

    init(_ connection: Connection, _ writer: WritableConnection?) {
        (self.connection, self.writer) = (connection, writer)
    }

    private func execute(_ sql: SQL) throws {
        guard let writer else { preconditionFailure("A reading transaction writes nothing.") }
        try writer.execute(sql)
    }

    // MARK: Settings

    func value(_ key: SyncSetting) throws -> [UInt8]? {
        try connection.first("SELECT value FROM sync_setting WHERE key = \(key.rawValue)", as: [UInt8].self)
    }

    func set(_ key: SyncSetting, _ value: [UInt8]?) throws {
        guard let value else { return try execute("DELETE FROM sync_setting WHERE key = \(key.rawValue)") }
        try execute("INSERT OR REPLACE INTO sync_setting (key, value) VALUES (\(key.rawValue), \(value))")
    }

    // MARK: Records of devices

    func membershipRecords() throws -> [[UInt8]] {
        try connection.query("SELECT bytes FROM sync_membership ORDER BY hash", as: [UInt8].self)
    }

    func insertMembership(_ bytes: [UInt8], hash: Hash) throws {
        try execute("INSERT OR IGNORE INTO sync_membership (hash, bytes) VALUES (\(hash.bytes), \(bytes))")
    }

    // MARK: Logs

    func logs() throws -> [DeviceID: LogState] {
        var logs: [DeviceID: LogState] = [:]
        try connection.forEach("SELECT * FROM sync_log") { row in
            guard let hash = Hash(try row["hash"]) else { throw SyncError.invalid("a stored hash is empty") }
            let head = LogHead(sequence: try row.number("sequence"), hash: hash)
            logs[try row.device()] = LogState(
                head: head, base: try row.number("base"), limit: try row.number("sequence_limit"),
                confirmed: try row.number("confirmed"), content: try row.number("content"))
        }
        return logs
    }

    func set(_ state: LogState, for device: DeviceID) throws {
        try execute(
            """
            INSERT OR REPLACE INTO sync_log (device, sequence, hash, base, sequence_limit, confirmed, content)
            VALUES (\(device.bytes), \(column(state.head.sequence)), \(state.head.hash.bytes), \(column(state.base)),
                \(column(state.limit)), \(column(state.confirmed)), \(column(state.content)))
            """)
    }

    func entries(of device: DeviceID, _ range: ClosedRange<UInt64>) throws -> [StoredEntry] {
        try connection.query(
            """
            SELECT sequence, epoch, box, hash, state FROM sync_entry
            WHERE device = \(device.bytes) AND sequence BETWEEN \(column(range.lowerBound)) AND \(column(range.upperBound))
            ORDER BY sequence
            """
        ) { row in
            guard let hash = Hash(try row["hash"]), let state = StoredEntry.State(rawValue: try row["state"]) else {
                throw SyncError.invalid("a stored entry is damaged")
            }
            let sealed = SealedEntry(epoch: try row["epoch"], box: try row["box"])
            return StoredEntry(sequence: try row.number("sequence"), sealed: sealed, hash: hash, state: state)
        }
    }

    func insert(_ entry: StoredEntry, of device: DeviceID) throws {
        try execute(
            """
            INSERT OR REPLACE INTO sync_entry (device, sequence, epoch, box, hash, state)
            VALUES (\(device.bytes), \(column(entry.sequence)), \(entry.sealed.epoch), \(entry.sealed.box),
                \(entry.hash.bytes), \(entry.state.rawValue))
            """)
    }

    func removeEntries(of device: DeviceID, _ range: ClosedRange<UInt64>) throws {
        try execute(
            """
            DELETE FROM sync_entry
            WHERE device = \(device.bytes) AND sequence BETWEEN \(column(range.lowerBound)) AND \(column(range.upperBound))
            """)
    }

    func entries(in state: StoredEntry.State) throws -> [(device: DeviceID, sequence: UInt64)] {
        try connection.query(
            """
            SELECT device, sequence FROM sync_entry WHERE state = \(state.rawValue) AND state != 0
            ORDER BY device, sequence
            """
        ) { (try $0.device(), try $0.number("sequence")) }
    }

    func set(_ state: StoredEntry.State, of device: DeviceID, _ sequence: UInt64) throws {
        try execute(
            """
            UPDATE sync_entry SET state = \(state.rawValue)
            WHERE device = \(device.bytes) AND sequence = \(column(sequence))
            """)
    }

    // MARK: Versions

    func insert(_ change: SyncChange, _ stamp: Stamp, sequence: UInt64) throws -> Bool {
        guard !change.fields.isEmpty else { return false }
        try execute(
            """
            INSERT OR IGNORE INTO sync_change (kind, id, device, sequence, milliseconds, counter, fields)
            VALUES (\(Int64(change.record.kind)), \(change.record.id), \(stamp.device.bytes), \(column(sequence)),
                \(column(stamp.milliseconds)), \(Int64(stamp.counter)), \(encoded(change.fields)))
            """)
        if writer?.changes ?? 0 > 0 { return true }
        // A snapshot leaves out the fields that count no more.
        let known = try connection.first(
            """
            SELECT fields FROM sync_change
            WHERE kind = \(Int64(change.record.kind)) AND id = \(change.record.id) AND device = \(stamp.device.bytes)
                AND sequence = \(column(sequence))
            """
        ) { try fields(try $0["fields"]) }
        let all = change.fields.merging(known ?? [:]) { $1 }
        guard all.count > known?.count ?? 0 else { return false }
        try execute(
            """
            UPDATE sync_change SET fields = \(encoded(all))
            WHERE kind = \(Int64(change.record.kind)) AND id = \(change.record.id) AND device = \(stamp.device.bytes)
                AND sequence = \(column(sequence))
            """)
        return true
    }

    private func encoded(_ fields: [SyncField: [UInt8]]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(fields)
        return writer.bytes
    }

    private func fields(_ bytes: [UInt8]) throws -> [SyncField: [UInt8]] {
        var reader = ByteReader(bytes)
        return try reader.fields()
    }

    func versions(of record: SyncRecordKey) throws -> [SyncField: [SyncVersion]] {
        var versions: [SyncField: [SyncVersion]] = [:]
        try connection.forEach(
            """
            SELECT device, sequence, milliseconds, counter, fields FROM sync_change
            WHERE kind = \(Int64(record.kind)) AND id = \(record.id)
            """
        ) { row in
            let stamp = Stamp(
                milliseconds: try row.number("milliseconds"),
                counter: UInt32(truncatingIfNeeded: try row["counter", as: Int64.self]), device: try row.device())
            let sequence = try row.number("sequence")
            for (field, value) in try fields(try row["fields"]) {
                versions[field, default: []].append(SyncVersion(stamp: stamp, sequence: sequence, value: value))
            }
        }
        return versions
    }

    func removeVersions(of device: DeviceID, after sequence: UInt64) throws -> [SyncRecordKey] {
        let records = try connection.query(
            """
            SELECT DISTINCT kind, id FROM sync_change
            WHERE device = \(device.bytes) AND sequence > \(column(sequence)) ORDER BY kind, id
            """
        ) { try $0.record() }
        try execute("DELETE FROM sync_change WHERE device = \(device.bytes) AND sequence > \(column(sequence))")
        return records
    }

    func erasedContainers() throws -> [[UInt8]] {
        let erased = try connection.query(
            "SELECT DISTINCT id FROM sync_change WHERE kind = \(Int64(SyncRecordKey.erasure))", as: [UInt8].self)
        let kinds = try kinds()
        return try erased.filter { container in
            try kinds.contains { kind in
                try connection.first(
                    """
                    SELECT 1 FROM sync_change
                    WHERE kind = \(kind) AND id >= \(container) AND id < \(container + Self.afterAnyID) LIMIT 1
                    """, as: Int64.self) != nil
            }
        }
    }

    func records(ofContainer container: [UInt8]) throws -> [SyncRecordKey] {
        try kinds().flatMap { kind in
            try connection.query(
                """
                SELECT DISTINCT kind, id FROM sync_change
                WHERE kind = \(kind) AND id >= \(container) AND id < \(container + Self.afterAnyID) ORDER BY id
                """
            ) { try $0.record() }
        }
    }

    func removeVersions(ofContainer container: [UInt8]) throws {
        for kind in try kinds() {
            try execute(
                """
                DELETE FROM sync_change
                WHERE kind = \(kind) AND id >= \(container) AND id < \(container + Self.afterAnyID)
                """)
        }
    }

    /// Greater than the rest of any id after its container.
    private static let afterAnyID = [UInt8](repeating: 0xFF, count: SyncRecordKey.idByteLimit)

    /// The kinds that have records, of those that a container may have.
    private func kinds() throws -> [Int64] {
        var kinds: [Int64] = []
        var last = Int64(SyncRecordKey.acknowledgement)
        while let next = try connection.first(
            "SELECT kind FROM sync_change WHERE kind > \(last) ORDER BY kind LIMIT 1", as: Int64.self)
        {
            kinds.append(next)
            last = next
        }
        return kinds
    }

    func records(after record: SyncRecordKey?, limit: Int) throws -> [SyncRecordKey] {
        guard let record else {
            return try connection.query(
                "SELECT DISTINCT kind, id FROM sync_change ORDER BY kind, id LIMIT \(limit)"
            ) { try $0.record() }
        }
        return try connection.query(
            """
            SELECT DISTINCT kind, id FROM sync_change WHERE (kind, id) > (\(Int64(record.kind)), \(record.id))
            ORDER BY kind, id LIMIT \(limit)
            """
        ) { try $0.record() }
    }

    // MARK: Changes

    func markChanged(_ record: SyncRecordKey) throws {
        try execute("INSERT OR REPLACE INTO sync_changed (kind, id) VALUES (\(Int64(record.kind)), \(record.id))")
    }

    func changed(after number: UInt64, limit: Int) throws -> [(number: UInt64, record: SyncRecordKey)] {
        try connection.query(
            """
            SELECT number, kind, id FROM sync_changed WHERE number > \(column(number)) ORDER BY number LIMIT \(limit)
            """
        ) { (try $0.number("number"), try $0.record()) }
    }

    // MARK: Objects

    func wanted() throws -> Set<String> {
        Set(try connection.query("SELECT name FROM sync_wanted", as: String.self))
    }

    func setWanted(_ name: String, _ isWanted: Bool) throws {
        if isWanted {
            try execute("INSERT OR IGNORE INTO sync_wanted (name) VALUES (\(name))")
        } else {
            try execute("DELETE FROM sync_wanted WHERE name = \(name)")
        }
    }

    func outgoing() throws -> Set<String> {
        Set(try connection.query("SELECT name FROM sync_outgoing", as: String.self))
    }

    func outgoing(_ name: String) throws -> [UInt8]? {
        try connection.first("SELECT bytes FROM sync_outgoing WHERE name = \(name)", as: [UInt8].self)
    }

    func setOutgoing(_ name: String, _ bytes: [UInt8]?) throws {
        guard let bytes else { return try execute("DELETE FROM sync_outgoing WHERE name = \(name)") }
        try execute("INSERT OR REPLACE INTO sync_outgoing (name, bytes) VALUES (\(name), \(bytes))")
    }
}

/// A number as a column: SQLite's are signed, and the largest one stands for "no limit".
private func column(_ number: UInt64) -> Int64 { Int64(clamping: number) }

extension Row {
    fileprivate func number(_ name: StaticString) throws -> UInt64 {
        let number = try self[name, as: Int64.self]
        return number == .max ? .max : UInt64(clamping: number)
    }

    fileprivate func device() throws -> DeviceID {
        guard let device = DeviceID(try self["device"]) else { throw SyncError.invalid("a stored id is damaged") }
        return device
    }

    fileprivate func record() throws -> SyncRecordKey {
        SyncRecordKey(kind: UInt32(truncatingIfNeeded: try self["kind", as: Int64.self]), id: try self["id"])
    }
}
