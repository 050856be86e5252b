// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

extension SQLAuthRows {
    nonisolated(nonsending) func session(id: String) async throws -> Session? {
        try await rows.first("SELECT \(sql: Self.sessionColumns) WHERE id = \(id)", Self.session)
    }

    nonisolated(nonsending) func sessions(of account: String) async throws -> [Session] {
        try await rows.query(
            "SELECT \(sql: Self.sessionColumns) WHERE account = \(account) ORDER BY created_at DESC, id DESC",
            Self.session)
    }

    private static var sessionColumns: SQL {
        "id, account, salt, created_at, device, generation, rotated_at, confirmed_generation, end_reason FROM session"
    }

    private static func session(_ row: SQLRow) throws -> Session {
        let generation: Int64 = try row["generation"]
        return Session(
            id: try row["id"], account: try row["account"], salt: try row["salt"],
            createdAt: AuthTime(milliseconds: try row["created_at"]), device: try row["device"],
            generation: generation, rotatedAt: AuthTime(milliseconds: try row["rotated_at"]),
            // A row that only versions before this column have written goes by their rule: the answer has arrived.
            confirmedGeneration: try row["confirmed_generation", as: Int64?.self] ?? generation,
            // A newer server's unknown reason is an end, too.
            end: try row["end_reason", as: String?.self].map { Session.End(rawValue: $0) ?? .revoked })
    }
}

extension SQLAuthTransaction {
    nonisolated(nonsending) func put(_ session: Session) async throws {
        try await writer.execute(
            """
            INSERT INTO session (
                id, account, salt, created_at, device, generation, rotated_at, confirmed_generation, end_reason)
            VALUES (
                \(session.id), \(session.account), \(session.salt), \(session.createdAt.milliseconds), \(session.device),
                \(session.generation), \(session.rotatedAt.milliseconds), \(session.confirmedGeneration),
                \(session.end?.rawValue))
            ON CONFLICT (id) DO UPDATE SET account = excluded.account, salt = excluded.salt,
                created_at = excluded.created_at, device = excluded.device, generation = excluded.generation,
                rotated_at = excluded.rotated_at, confirmed_generation = excluded.confirmed_generation,
                end_reason = excluded.end_reason
            """)
    }

    nonisolated(nonsending) func takeAuthorizationCode(_ code: Data) async throws -> AuthorizationCode? {
        try await rows.first(
            "DELETE FROM authorization_code WHERE code = \(code) RETURNING code, account, challenge, created_at"
        ) { row in
            AuthorizationCode(
                code: try row["code"], account: try row["account"], challenge: try row["challenge"],
                createdAt: AuthTime(milliseconds: try row["created_at"]))
        }
    }

    nonisolated(nonsending) func add(_ code: AuthorizationCode) async throws {
        try await writer.execute(
            """
            INSERT INTO authorization_code (code, account, challenge, created_at)
            VALUES (\(code.code), \(code.account), \(code.challenge), \(code.createdAt.milliseconds))
            """)
    }

    nonisolated(nonsending) func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) async throws {
        try await writer.execute("DELETE FROM session WHERE created_at < \(session.milliseconds)")
        try await writer.execute("DELETE FROM authorization_code WHERE created_at < \(rest.milliseconds)")
        try await writer.execute(
            """
            DELETE FROM network
            WHERE sends_empty_at < \(rest.milliseconds) AND attempts_empty_at < \(rest.milliseconds)
            """)
        try await writer.execute(
            """
            DELETE FROM address WHERE account IS NULL
                AND NOT EXISTS (SELECT 1 FROM mail WHERE address = key AND created_at >= \(rest.milliseconds))
            """)
        try await writer.execute("DELETE FROM erasure WHERE done_at < \(rest.milliseconds)")
    }
}
