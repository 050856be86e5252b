// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Persistence
public import Sync

/// The last exchange of this machine and what waits for the next one, in the database of sync, so that a program can say
/// it without the device's keys and without the place.
public struct SyncJournal: Sendable {
    private enum Key: String {
        /// This device's id.
        case device
        /// The time of the oldest change that the place does not have.
        case waiting
        /// The last exchange.
        case success
        /// The failure since then.
        case failure
    }

    private let database: Database

    /// The journal of an open database of sync.
    public init(_ database: Database) { self.database = database }

    static let migration = Migration(
        name: "sync_journal",
        sql: """
            CREATE TABLE sync_journal (key TEXT PRIMARY KEY, time INTEGER NOT NULL, value BLOB NOT NULL)
            STRICT, WITHOUT ROWID
            """)

    // MARK: Writing

    /// Notes that changes are about to be handed to the log.
    ///
    /// - Parameter oldest: The time of the oldest one; nil for none.
    public func begin(_ device: DeviceID, oldest: Date?) async throws {
        try await database.write(durability: .normal) { connection in
            try Self.set(.device, 0, device.bytes, on: connection)
            guard let oldest else { return }
            try connection.execute(
                """
                INSERT INTO sync_journal (key, time, value) VALUES (\(Key.waiting.rawValue), \(Self.time(oldest)), x'')
                ON CONFLICT (key) DO UPDATE SET time = min(time, excluded.time)
                """)
        }
    }

    /// Notes that nothing waits after all.
    public func settle() async throws {
        try await database.write(durability: .normal) { connection in
            try connection.execute("DELETE FROM sync_journal WHERE key = \(Key.waiting.rawValue)")
        }
    }

    /// Notes the end of an exchange.
    ///
    /// - Parameter waiting: The time of the oldest change that still waits; nil for none.
    public func succeed(at now: Date, waiting: Date?) async throws {
        try await database.write(durability: .normal) { connection in
            try Self.set(.success, Self.time(now), [], on: connection)
            let over = [Key.failure.rawValue, Key.waiting.rawValue]
            try connection.execute("DELETE FROM sync_journal WHERE key IN \(list: over)")
            if let waiting { try Self.set(.waiting, Self.time(waiting), [], on: connection) }
        }
    }

    /// Notes that an exchange failed.
    ///
    /// - Parameter reason: The failure for a person.
    public func fail(at now: Date, _ reason: String) async throws {
        try await database.write(durability: .normal) { connection in
            try Self.set(.failure, Self.time(now), Array(reason.utf8), on: connection)
        }
    }

    private static func set(_ key: Key, _ time: Int64, _ value: [UInt8], on connection: WritableConnection) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO sync_journal (key, time, value) VALUES (\(key.rawValue), \(time), \(value))")
    }

    private static func time(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970.rounded(.down)) }

    // MARK: Reading

    /// The state of sync on this machine.
    ///
    /// - Parameter marks: The changes that were not handed to the log yet.
    public func summary(_ marks: PendingChanges) async throws -> SyncSummary {
        let rows = try await database.read { connection in
            try connection.query("SELECT key, time, value FROM sync_journal") { row in
                (
                    key: Key(rawValue: try row["key"]),
                    time: Date(timeIntervalSince1970: TimeInterval(try row["time", as: Int64.self])),
                    value: try row["value", as: [UInt8].self]
                )
            }
        }
        func row(_ key: Key) -> (time: Date, value: [UInt8])? {
            rows.first { $0.key == key }.map { ($0.time, $0.value) }
        }
        var waiting = marks.count
        if let device = row(.device).flatMap({ DeviceID($0.value) }) {
            waiting += try await SyncDevice.waitingEntryCount(of: device, in: database)
        }
        let since = [row(.waiting)?.time, marks.oldest].compactMap(\.self).min()
        let clock = try await SyncDevice.clockWarning(in: database)
        return SyncSummary(
            waiting: waiting, waitingSince: waiting == 0 ? nil : since, lastExchange: row(.success)?.time,
            failure: row(.failure).map {
                SyncSummary.Failure(time: $0.time, reason: String(decoding: $0.value, as: UTF8.self))
            }, clockWarning: clock)
    }
}

/// The changes of the conversations that sync has not taken over yet.
public struct PendingChanges: Sendable, Hashable {
    /// Their number.
    public var count = 0
    /// The time of the oldest one; nil for none.
    public var oldest: Date?

    /// No changes.
    public init() {}
}

/// The state of sync on this machine, without asking the place.
public struct SyncSummary: Sendable, Hashable {
    /// A failed exchange.
    public struct Failure: Sendable, Hashable {
        /// The time of the last attempt.
        public let time: Date
        /// The failure for a person.
        public let reason: String

        /// A failure.
        public init(time: Date, reason: String) { (self.time, self.reason) = (time, reason) }
    }

    /// The number of changes that the place does not have.
    public let waiting: Int
    /// The time of the oldest one; nil for none.
    public let waitingSince: Date?
    /// The last exchange; nil if there was none.
    public let lastExchange: Date?
    /// The failure since then; nil if there was none.
    public let failure: Failure?
    /// A clock that the last exchange found to be wrong; nil if all were right.
    public let clockWarning: ClockWarning?

    /// A state.
    public init(
        waiting: Int, waitingSince: Date?, lastExchange: Date?, failure: Failure?, clockWarning: ClockWarning? = nil
    ) {
        (self.waiting, self.waitingSince) = (waiting, waitingSince)
        (self.lastExchange, self.failure, self.clockWarning) = (lastExchange, failure, clockWarning)
    }
}
