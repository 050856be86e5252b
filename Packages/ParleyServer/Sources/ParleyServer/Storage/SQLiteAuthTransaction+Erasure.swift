// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

extension SQLiteAuthTransaction {
    func remove(account: String) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM session WHERE account = \(account)")
        try connection.execute("DELETE FROM authorization_code WHERE account = \(account)")
        try connection.execute(
            "DELETE FROM mail WHERE address IN (SELECT key FROM address WHERE account = \(account))")
        try connection.execute("DELETE FROM address WHERE account = \(account)")
        try connection.execute("DELETE FROM account WHERE id = \(account)")
    }

    func put(_ erasure: Erasure) throws where Access == WritableConnection {
        let counts = String(decoding: try JSONEncoder().encode(erasure.counts), as: UTF8.self)
        try connection.execute(
            """
            INSERT OR REPLACE INTO erasure (account, id, asked_at, done_at, counts)
            VALUES (
                \(erasure.account), \(erasure.id), \(erasure.askedAt.milliseconds), \(erasure.doneAt?.milliseconds),
                \(counts))
            """)
    }

    func erasure(of account: String) throws -> Erasure? {
        try connection.first("SELECT \(sql: Self.erasureColumns) WHERE account = \(account)", Self.erasure)
    }

    func erasures() throws -> [Erasure] {
        try connection.query("SELECT \(sql: Self.erasureColumns) ORDER BY asked_at, id", Self.erasure)
    }

    private static var erasureColumns: SQL { "id, account, asked_at, done_at, counts FROM erasure" }

    private static func erasure(_ row: borrowing Row) throws -> Erasure {
        Erasure(
            id: try row["id"], account: try row["account"], askedAt: AuthTime(milliseconds: try row["asked_at"]),
            counts: try JSONDecoder().decode([String: Int].self, from: Data(try row["counts", as: String.self].utf8)),
            doneAt: try row["done_at", as: Int64?.self].map { AuthTime(milliseconds: $0) })
    }
}
