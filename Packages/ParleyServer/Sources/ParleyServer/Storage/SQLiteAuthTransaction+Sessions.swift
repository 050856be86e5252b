// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

extension SQLiteAuthTransaction {
    func session(id: String) throws -> Session? {
        try connection.first("SELECT \(sql: Self.sessionColumns) WHERE id = \(id)", Self.session)
    }

    func sessions(of account: String) throws -> [Session] {
        try connection.query(
            "SELECT \(sql: Self.sessionColumns) WHERE account = \(account) ORDER BY created_at DESC, id DESC",
            Self.session)
    }

    func put(_ session: Session) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR REPLACE INTO session
                (id, account, salt, created_at, device, generation, rotated_at, end_reason)
            VALUES (
                \(session.id), \(session.account), \(session.salt), \(session.createdAt.milliseconds), \(session.device),
                \(session.generation), \(session.rotatedAt.milliseconds), \(session.end?.rawValue))
            """)
    }

    private static var sessionColumns: SQL {
        "id, account, salt, created_at, device, generation, rotated_at, end_reason FROM session"
    }

    private static func session(_ row: borrowing Row) throws -> Session {
        Session(
            id: try row["id"], account: try row["account"], salt: try row["salt"],
            createdAt: AuthTime(milliseconds: try row["created_at"]), device: try row["device"],
            generation: try row["generation"], rotatedAt: AuthTime(milliseconds: try row["rotated_at"]),
            // A newer server's unknown reason is an end, too.
            end: try row["end_reason", as: String?.self].map { Session.End(rawValue: $0) ?? .revoked })
    }

    func takeAuthorizationCode(_ code: Data) throws -> AuthorizationCode? where Access == WritableConnection {
        try connection.first(
            "DELETE FROM authorization_code WHERE code = \(code) RETURNING code, account, challenge, created_at"
        ) { row in
            AuthorizationCode(
                code: try row["code"], account: try row["account"], challenge: try row["challenge"],
                createdAt: AuthTime(milliseconds: try row["created_at"]))
        }
    }

    func add(_ code: AuthorizationCode) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT INTO authorization_code (code, account, challenge, created_at)
            VALUES (\(code.code), \(code.account), \(code.challenge), \(code.createdAt.milliseconds))
            """)
    }

    func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM session WHERE created_at < \(session.milliseconds)")
        try connection.execute("DELETE FROM authorization_code WHERE created_at < \(rest.milliseconds)")
        try connection.execute(
            "DELETE FROM network WHERE max(sends_empty_at, attempts_empty_at) < \(rest.milliseconds)")
        try connection.execute(
            """
            DELETE FROM address WHERE account IS NULL
                AND EXISTS (SELECT 1 FROM mail WHERE address = key)
                AND NOT EXISTS (SELECT 1 FROM mail WHERE address = key AND created_at >= \(rest.milliseconds))
            """)
        try connection.execute("DELETE FROM erasure WHERE done_at < \(rest.milliseconds)")
    }
}
