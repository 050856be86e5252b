// SPDX-License-Identifier: MIT

import Digests
import Persistence
import SyncWire

/// The limits of what the relay keeps for an account.
public struct SyncPolicy: Sendable, Hashable {
    /// The most bytes of an account's objects together; 1 GiB.
    public var quotaBytes = 1 << 30
    /// The most objects of an account; 200,000.
    public var maximumObjects = 200_000
    /// The most event streams that an account has open at once; 32.
    public var maximumStreams = 32
    /// The most calls of an account in a minute, all at once or evenly; 0 for any number. They count apart from others,
    /// since a device that is set up reads many objects.
    public var callsPerMinute = 6_000

    /// The defaults.
    public init() {}
}

/// A group of devices of one account. The same id under two accounts is two groups.
struct SyncGroup: Sendable, Hashable {
    let account: String
    /// The id that the devices chose, ``SyncLimit/groupByteCount`` bytes.
    let id: [UInt8]

    /// The id in an address: hexadecimal digits of lower case; nil for any other text.
    static func id(_ text: String) -> [UInt8]? {
        guard let id = Hexadecimal.bytes(text), id.count == SyncLimit.groupByteCount, Hexadecimal.text(id) == text
        else { return nil }
        return id
    }
}

/// The outcome of a request to create an object.
enum SyncAdmission: Sendable, Hashable {
    case new
    /// The same bytes exist already.
    case same
    /// The name belongs to other bytes.
    case taken
    case tooMany
    case overQuota(free: Int)
}

/// The sealed objects of all groups. Each write is on the disk before it returns.
struct SyncStore: Sendable {
    let database: any ServerDatabase
    let policy: SyncPolicy
    /// Identifies this life of the database file in cursors. A backup's copy has none, so that a restored one gets
    /// another.
    private let epoch: String

    /// Opens the objects of a database that has the tables.
    init(_ database: any ServerDatabase, policy: SyncPolicy = SyncPolicy()) async throws {
        self.database = database
        self.policy = policy
        let new = String(UInt64.random(in: .min ... .max), radix: 36)
        epoch = try await database.write { writer in
            if let epoch = try await writer.first("SELECT epoch FROM relay", as: String.self) { return epoch }
            try await writer.execute("INSERT INTO relay (epoch) VALUES (\(new))")
            return new
        }
    }

    // MARK: Objects

    /// Stores an object, unless its name exists or a limit is reached: one transaction, so that limits are exact.
    func create(_ name: SyncObjectName, _ bytes: [UInt8], in group: SyncGroup) async throws -> SyncAdmission {
        try await database.write(durability: .full) { writer in
            let isSame = try await writer.first(
                """
                SELECT content = \(bytes) FROM sync_object
                WHERE account = \(group.account) AND group_id = \(group.id) AND name = \(name.text)
                """, as: Bool.self)
            if let isSame { return isSame ? .same : .taken }
            let usage = try await Self.usage(of: group.account, writer)
            if let refusal = refusal(of: bytes.count, usage) { return refusal }
            try await writer.execute(
                """
                INSERT INTO sync_object (account, group_id, number, name, size, content)
                VALUES (\(group.account), \(group.id), \(usage.last + 1), \(name.text), \(bytes.count), \(bytes))
                """)
            try await writer.execute(
                """
                INSERT INTO sync_account (account, last_number, objects, bytes)
                VALUES (\(group.account), \(usage.last + 1), 1, \(bytes.count))
                ON CONFLICT (account) DO UPDATE SET last_number = excluded.last_number,
                    objects = sync_account.objects + 1, bytes = sync_account.bytes + excluded.bytes
                """)
            return .new
        }
    }

    /// The refusal that an object of this size would get now; nil if it would get none. It saves reading the bytes.
    func refusal(of name: SyncObjectName, size: Int, in group: SyncGroup) async throws -> SyncAdmission? {
        try await database.read { rows in
            let exists = try await rows.first(
                """
                SELECT 1 FROM sync_object
                WHERE account = \(group.account) AND group_id = \(group.id) AND name = \(name.text)
                """, as: Int.self)
            return exists == nil ? refusal(of: size, try await Self.usage(of: group.account, rows)) : nil
        }
    }

    /// An object's bytes; nil if it does not exist.
    func content(of name: SyncObjectName, in group: SyncGroup) async throws -> [UInt8]? {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT content FROM sync_object
                WHERE account = \(group.account) AND group_id = \(group.id) AND name = \(name.text)
                """, as: [UInt8].self)
        }
    }

    /// Removes an object; a missing one is no error.
    func remove(_ name: SyncObjectName, in group: SyncGroup) async throws {
        try await database.write(durability: .full) { writer in
            let size = try await writer.first(
                """
                DELETE FROM sync_object
                WHERE account = \(group.account) AND group_id = \(group.id) AND name = \(name.text) RETURNING size
                """, as: Int.self)
            if let size { try await Self.release(1, size, of: group.account, writer) }
        }
    }

    // MARK: Positions

    /// The objects after a cursor, the oldest first; from the first one on for a cursor of another
    /// epoch.
    func list(_ group: SyncGroup, after cursor: SyncCursor?) async throws -> SyncListing {
        try await database.read { rows in
            let last = try await Self.usage(of: group.account, rows).last
            let start = cursor.flatMap { number(of: $0) }.map { $0 <= last ? $0 : 0 } ?? 0
            // One more row shows that a next page exists.
            let found = try await rows.query(
                """
                SELECT number, name, size FROM sync_object
                WHERE account = \(group.account) AND group_id = \(group.id) AND number > \(start)
                ORDER BY number LIMIT \(SyncLimit.listingCount + 1)
                """
            ) {
                (
                    number: try $0["number", as: Int64.self], name: try $0["name", as: String.self],
                    size: try $0["size", as: Int.self]
                )
            }
            let page = found.prefix(SyncLimit.listingCount)
            let hasMore = found.count > page.count
            return SyncListing(
                objects: page.compactMap { row in
                    SyncObjectName(row.name).map { SyncObject(name: $0, size: row.size) }
                }, cursor: self.cursor(hasMore ? page.last?.number ?? start : last), isWhole: start == 0,
                hasMore: hasMore)
        }
    }

    /// The position after the newest object of a group.
    func position(of group: SyncGroup) async throws -> SyncCursor {
        let number = try await database.read { rows in
            try await rows.first(
                "SELECT max(number) FROM sync_object WHERE account = \(group.account) AND group_id = \(group.id)",
                as: Int64?.self)
        }
        return cursor((number ?? nil) ?? 0)
    }

    /// True unless everything up to `position` was listed already when a client got `known`.
    func isNews(_ position: SyncCursor, after known: SyncCursor) -> Bool {
        guard let newest = number(of: position), let earlier = number(of: known) else { return true }
        return newest > earlier
    }

    private func cursor(_ number: Int64) -> SyncCursor { SyncCursor("\(epoch)-\(number)") }

    /// The number in a cursor of this epoch; nil for any other text.
    private func number(of cursor: SyncCursor) -> Int64? {
        let parts = cursor.text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == epoch, let number = Int64(parts[1]), number >= 0 else { return nil }
        return number
    }

    // MARK: Accounts

    /// The number of an account's last object, and its objects and bytes.
    typealias Usage = (last: Int64, objects: Int, bytes: Int)

    /// The objects and the bytes of an account.
    func usage(of account: String) async throws -> Usage {
        try await database.read { try await Self.usage(of: account, $0) }
    }

    /// The objects and the bytes of all accounts.
    func totals() async throws -> (objects: Int, bytes: Int) {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT CAST(coalesce(sum(objects), 0) AS BIGINT) AS objects,
                    CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM sync_account
                """
            ) { (objects: try $0["objects"], bytes: try $0["bytes"]) } ?? (0, 0)
        }
    }

    /// Removes some of an account's objects up to a number, at most 32 MiB: deleted bytes are overwritten, and others
    /// wait no longer than for that.
    ///
    /// - Returns: The number of removed objects; 0 once all are removed.
    func removeSome(of account: String, through last: Int64 = .max) async throws -> Int {
        try await database.write(durability: .full) { writer in
            let rows = try await writer.query(
                "SELECT id, size FROM sync_object WHERE account = \(account) AND number <= \(last) LIMIT 500"
            ) { (id: try $0["id", as: Int64.self], size: try $0["size", as: Int.self]) }
            var (count, bytes) = (0, 0)
            for row in rows where count == 0 || bytes + row.size <= 32 << 20 {
                try await writer.execute("DELETE FROM sync_object WHERE id = \(row.id)")
                (count, bytes) = (count + 1, bytes + row.size)
            }
            try await Self.release(count, bytes, of: account, writer)
            return count
        }
    }

    /// Removes everything of an account that was deleted, its row included.
    func erase(_ account: String) async throws {
        while try await removeSome(of: account) > 0 {}
        try await database.write(durability: .full) { writer in
            try await writer.execute("DELETE FROM sync_account WHERE account = \(account) AND objects = 0")
        }
    }

    private func refusal(of size: Int, _ usage: Usage) -> SyncAdmission? {
        if usage.objects >= policy.maximumObjects { return .tooMany }
        let free = max(0, policy.quotaBytes - usage.bytes)
        return size > free ? .overQuota(free: free) : nil
    }

    nonisolated(nonsending) private static func usage(
        of account: String, _ rows: any SQLReader
    ) async throws -> Usage {
        try await rows.first(
            "SELECT last_number, objects, bytes FROM sync_account WHERE account = \(account)"
        ) { (last: try $0["last_number"], objects: try $0["objects"], bytes: try $0["bytes"]) } ?? (0, 0, 0)
    }

    nonisolated(nonsending) private static func release(
        _ objects: Int, _ bytes: Int, of account: String, _ writer: any SQLWriter
    ) async throws {
        guard objects > 0 else { return }
        try await writer.execute(
            "UPDATE sync_account SET objects = objects - \(objects), bytes = bytes - \(bytes) WHERE account = \(account)"
        )
    }
}
