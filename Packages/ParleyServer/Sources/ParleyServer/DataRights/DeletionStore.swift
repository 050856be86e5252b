// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import FoundationEssentials
import Persistence

/// A deletion that is not finished.
struct DeletionOrder: Sendable, Hashable {
    /// The receipt's id.
    let id: String
    let account: String
    let askedAt: AuthTime
    /// The last change of a result to delete; nil for an order of an earlier version, which has removed nothing yet.
    let lastChange: Int64?
    /// The number of the last object of the relay to delete.
    let lastObject: Int64
}

/// The orders and receipts of deletions. A receipt has only the number of items by kind.
struct DeletionStore: Sendable {
    /// The most receipts that an account keeps; the oldest are deleted.
    static let maximumReceipts = 100

    let database: any ServerDatabase

    /// Removes the rows of an account's recordings and everything that refers to them, and stores the order for the
    /// rest: all of it or nothing. An open order is resumed under its id.
    func begin(
        _ id: String, of account: String, _ extent: PracticeExtent, _ objects: SyncStore.Usage, at now: AuthTime
    ) async throws -> DeletionOrder {
        try await database.write(durability: .full) { writer in
            let earlier = try await writer.query(
                """
                SELECT id, counts, removed_results, removed_objects FROM deletion
                WHERE account = \(account) AND deleted_at IS NULL ORDER BY asked_at, id
                """
            ) {
                (
                    id: try $0["id", as: String.self], counts: try Self.counts(in: $0["counts", as: String.self]),
                    results: try $0["removed_results", as: Int.self], objects: try $0["removed_objects", as: Int.self]
                )
            }
            let removed = earlier.reduce(0) { $0 + $1.results }
            let removedObjects = earlier.reduce(0) { $0 + $1.objects }
            var counts: [String: Int] = earlier.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
            counts.merge(try await Self.removeRows(of: account, through: .max, writer), uniquingKeysWith: +)
            counts["results"] = removed + extent.results
            counts["objects"] = removedObjects + objects.objects
            let id = earlier.first?.id ?? id
            try await writer.execute("DELETE FROM deletion WHERE account = \(account) AND deleted_at IS NULL")
            try await writer.execute(
                """
                INSERT INTO deletion (
                    id, account, asked_at, counts, last_change, removed_results, last_object, removed_objects)
                VALUES (\(id), \(account), \(now.milliseconds), \(try Self.text(counts)), \(extent.lastChange), \(removed),
                    \(objects.last), \(removedObjects))
                """)
            return DeletionOrder(
                id: id, account: account, askedAt: now, lastChange: extent.lastChange, lastObject: objects.last)
        }
    }

    /// The unfinished orders, the oldest first.
    func open() async throws -> [DeletionOrder] {
        try await database.read { rows in
            try await rows.query(
                """
                SELECT id, account, asked_at, last_change, last_object FROM deletion
                WHERE deleted_at IS NULL ORDER BY asked_at, id
                """
            ) { row in
                DeletionOrder(
                    id: try row["id"], account: try row["account"],
                    askedAt: AuthTime(milliseconds: try row["asked_at"]), lastChange: try row["last_change"],
                    lastObject: try row["last_object"])
            }
        }
    }

    /// Does for an earlier version's order what ``begin(_:of:_:at:)`` does, up to the time of its request.
    func removeRows(of order: DeletionOrder, _ extent: PracticeExtent) async throws {
        try await database.write(durability: .full) { writer in
            var counts = try await Self.removeRows(
                of: order.account, through: order.askedAt.milliseconds, writer)
            counts["results"] = extent.results
            try await writer.execute(
                """
                UPDATE deletion SET counts = \(try Self.text(counts)), last_change = \(extent.lastChange)
                WHERE id = \(order.id)
                """)
        }
    }

    /// Notes that the results of an order are deleted; they are not counted again when it is resumed.
    func noteResultsRemoved(_ id: String) async throws {
        try await database.write(durability: .full) { writer in
            let text = try await writer.first("SELECT counts FROM deletion WHERE id = \(id)", as: String.self)
            let results = try text.map { try Self.counts(in: $0)["results"] ?? 0 } ?? 0
            try await writer.execute("UPDATE deletion SET removed_results = \(results) WHERE id = \(id)")
        }
    }

    /// Notes that objects of an order are deleted; they are not counted again when it is resumed.
    func noteObjectsRemoved(_ count: Int, _ id: String) async throws {
        try await database.write(durability: .full) { writer in
            try await writer.execute(
                "UPDATE deletion SET removed_objects = removed_objects + \(count) WHERE id = \(id)")
        }
    }

    /// Notes that everything is deleted.
    ///
    /// - Returns: The number of deleted items by kind.
    func close(_ order: DeletionOrder, at now: AuthTime) async throws -> [String: Int] {
        try await database.write(durability: .full) { writer in
            try await writer.execute("UPDATE deletion SET deleted_at = \(now.milliseconds) WHERE id = \(order.id)")
            try await writer.execute(
                """
                DELETE FROM deletion WHERE account = \(order.account) AND deleted_at IS NOT NULL AND id NOT IN (
                    SELECT id FROM deletion WHERE account = \(order.account) AND deleted_at IS NOT NULL
                    ORDER BY deleted_at DESC, asked_at DESC LIMIT \(Self.maximumReceipts))
                """)
            let text = try await writer.first("SELECT counts FROM deletion WHERE id = \(order.id)", as: String.self)
            return try Self.counts(in: text ?? "{}")
        }
    }

    /// An account's receipts, the oldest first.
    func receipts(of account: String) async throws -> [DeletionReceipt] {
        try await database.read { rows in
            try await rows.query(
                """
                SELECT id, deleted_at, counts FROM deletion
                WHERE account = \(account) AND deleted_at IS NOT NULL ORDER BY deleted_at, id
                """
            ) { row in
                DeletionReceipt(
                    id: try row["id"], place: .server, deletedAt: RecordingRow.date(try row["deleted_at"]),
                    counts: try Self.counts(in: row["counts"]))
            }
        }
    }

    /// The number of an account's rows by kind, receipts included.
    func usage(of account: String) async throws -> [String: Int] {
        try await database.read { rows in
            var counts: [String: Int] = [:]
            let tables: [(String, SQL)] = [
                ("recordings", "recording"), ("uploads", "upload"), ("evaluations", "evaluation_job"),
                ("receipts", "deletion"),
            ]
            for (name, table) in tables {
                counts[name] = try await rows.first(
                    "SELECT count(*) FROM \(sql: table) WHERE account = \(account)", as: Int.self)
            }
            return counts
        }
    }

    /// Removes every row of an account that was deleted, receipts included.
    func removeAll(of account: String) async throws {
        try await database.write(durability: .full) { writer in
            _ = try await Self.removeRows(of: account, through: .max, writer)
            try await writer.execute("DELETE FROM deletion WHERE account = \(account)")
        }
    }

    nonisolated(nonsending) private static func removeRows(
        of account: String, through time: Int64, _ writer: any SQLWriter
    ) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        counts["recordings"] = try await writer.execute(
            "DELETE FROM recording WHERE account = \(account) AND received_at <= \(time)")
        counts["uploads"] = try await writer.execute(
            "DELETE FROM upload WHERE account = \(account) AND touched_at <= \(time)")
        try await RecordingUsage.recount(account, writer)
        counts["evaluations"] = try await writer.execute(
            """
            DELETE FROM evaluation_job WHERE account = \(account)
                AND recording NOT IN (SELECT id FROM recording WHERE account = \(account))
            """)
        try await writer.execute("DELETE FROM presence WHERE account = \(account) AND seen_at <= \(time)")
        return counts
    }

    private static func counts(in text: String) throws -> [String: Int] {
        try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
    }

    private static func text(_ counts: [String: Int]) throws -> String {
        String(decoding: try JSONEncoder().encode(counts), as: UTF8.self)
    }
}
