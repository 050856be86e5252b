// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

/// An audit event as it is stored.
struct AuditEntry: Sendable, Hashable {
    let id: String
    let at: AuthTime
    let event: String
    let account: String?
    /// The other fields of the log record.
    let details: [String: String]
}

/// The audit events of all instances, with a bound of age and of number. They name accounts, sessions, keys and receipts by
/// their ids; they have no address and no token.
struct AuditStore: Sendable {
    let database: any ServerDatabase
    /// The age in days at which events are deleted.
    var days = 90
    /// The most events; the oldest of more are deleted, first refusals over half of it, which anybody can cause.
    var maximumEvents = 1_000_000

    /// Adds events; one that is stored already stays as it is. The account of a session is added, and that of an erased
    /// account left out.
    func append(_ entries: [AuditEntry]) async throws {
        let rows = try entries.map { entry in
            let details = String(decoding: try JSONEncoder().encode(entry.details), as: UTF8.self)
            return (entry, details)
        }
        try await database.write(durability: .normal) { writer in
            for (entry, details) in rows {
                try await writer.execute(
                    """
                    INSERT INTO audit_event (happened_at, id, event, account, details)
                    VALUES (\(entry.at.milliseconds), \(entry.id), \(entry.event),
                        coalesce(
                            \(entry.account), (SELECT account FROM session WHERE id = \(entry.details["session"]))),
                        \(details))
                    ON CONFLICT (happened_at, id) DO NOTHING
                    """)
            }
            try await writer.execute(
                """
                UPDATE audit_event SET account = NULL
                WHERE happened_at >= \(rows.map(\.0.at.milliseconds).min() ?? .max)
                    AND account IN (SELECT account FROM erasure)
                """)
        }
    }

    /// Events, the newest first.
    ///
    /// - Parameters:
    ///   - time: The time of the oldest; nil for the first that is stored.
    ///   - account: An account's id; nil for every event.
    ///   - last: The last event of the page before; nil for the first page.
    func entries(
        since time: AuthTime? = nil, account: String?, after last: AuditEntry? = nil, limit: Int
    ) async throws -> [AuditEntry] {
        let filter: SQL = account.map { account -> SQL in "AND account = \(account)" } ?? ""
        let rest: SQL =
            last.map { last -> SQL in "AND (happened_at, id) < (\(last.at.milliseconds), \(last.id))" } ?? ""
        return try await database.read { rows in
            try await rows.query(
                """
                SELECT id, happened_at, event, account, details FROM audit_event
                WHERE happened_at >= \(time?.milliseconds ?? 0) \(sql: filter) \(sql: rest)
                ORDER BY happened_at DESC, id DESC LIMIT \(limit)
                """
            ) { row in
                AuditEntry(
                    id: try row["id"], at: AuthTime(milliseconds: try row["happened_at"]), event: try row["event"],
                    account: try row["account"],
                    details: try JSONDecoder().decode(
                        [String: String].self, from: Data(try row["details", as: String.self].utf8)))
            }
        }
    }

    /// Deletes what is too old or too much.
    func deleteExpired(at now: AuthTime) async throws {
        let oldest = now + .seconds(-86_400 * Int64(days))
        try await database.write(durability: .normal) { writer in
            try await writer.execute("DELETE FROM audit_event WHERE happened_at < \(oldest.milliseconds)")
            let isTooMuch = try await !writer.query(
                "SELECT id FROM audit_event ORDER BY happened_at DESC, id DESC LIMIT 1 OFFSET \(maximumEvents)"
            ) { try $0["id", as: String.self] }.isEmpty
            guard isTooMuch else { return }
            let bounds: [(SQL, Int)] = [("event = 'refusal'", maximumEvents / 2), ("TRUE", maximumEvents)]
            for (filter, most) in bounds {
                try await writer.execute(
                    """
                    DELETE FROM audit_event WHERE \(sql: filter) AND (happened_at, id) <= (
                        SELECT happened_at, id FROM audit_event WHERE \(sql: filter)
                        ORDER BY happened_at DESC, id DESC LIMIT 1 OFFSET \(most))
                    """)
            }
        }
    }
}
