// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

extension SQLAuthTransaction {
    nonisolated(nonsending) func remove(account: String) async throws {
        try await writer.execute("DELETE FROM session WHERE account = \(account)")
        try await writer.execute("DELETE FROM authorization_code WHERE account = \(account)")
        try await writer.execute(
            "DELETE FROM mail WHERE address IN (SELECT key FROM address WHERE account = \(account))")
        try await writer.execute("DELETE FROM address WHERE account = \(account)")
        try await writer.execute("UPDATE audit_event SET account = NULL WHERE account = \(account)")
        try await writer.execute("DELETE FROM account WHERE id = \(account)")
    }

    nonisolated(nonsending) func put(_ erasure: Erasure) async throws {
        let counts = String(decoding: try JSONEncoder().encode(erasure.counts), as: UTF8.self)
        try await writer.execute(
            """
            INSERT INTO erasure (account, id, asked_at, done_at, counts)
            VALUES (
                \(erasure.account), \(erasure.id), \(erasure.askedAt.milliseconds), \(erasure.doneAt?.milliseconds),
                \(counts))
            ON CONFLICT (account) DO UPDATE SET id = excluded.id, asked_at = excluded.asked_at,
                done_at = excluded.done_at, counts = excluded.counts
            """)
    }
}

extension SQLAuthRows {
    nonisolated(nonsending) func erasure(of account: String) async throws -> Erasure? {
        try await rows.first("SELECT \(sql: Self.erasureColumns) WHERE account = \(account)", Self.erasure)
    }

    nonisolated(nonsending) func erasures() async throws -> [Erasure] {
        try await rows.query("SELECT \(sql: Self.erasureColumns) ORDER BY asked_at, id", Self.erasure)
    }

    private static var erasureColumns: SQL { "id, account, asked_at, done_at, counts FROM erasure" }

    private static func erasure(_ row: SQLRow) throws -> Erasure {
        Erasure(
            id: try row["id"], account: try row["account"], askedAt: AuthTime(milliseconds: try row["asked_at"]),
            counts: try JSONDecoder().decode([String: Int].self, from: Data(try row["counts", as: String.self].utf8)),
            doneAt: try row["done_at", as: Int64?.self].map { AuthTime(milliseconds: $0) })
    }
}
