// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

/// The rows of sign-in in one transaction.
protocol SQLAuthRows: AuthReading {
    var rows: any SQLReader { get }
}

/// The rows in one transaction that reads.
struct SQLAuthReading: SQLAuthRows {
    let rows: any SQLReader
}

extension SQLAuthRows {
    // MARK: Addresses

    nonisolated(nonsending) func address(key: Data) async throws -> AddressRecord? {
        let found = try await rows.first(
            "SELECT key, account, failures, sends FROM address WHERE key = \(key)", Self.address)
        // Looked up for every request, so that unknown addresses cost as much as known ones.
        let proofs = try await rows.query(
            """
            SELECT link, code, created_at, challenge, newcomer, redirect, network, attempts, foreign_attempts, used_at
            FROM mail WHERE address = \(key) ORDER BY created_at DESC, link
            """, Self.proof)
        return found.map { found in
            AddressRecord(
                key: found.key, account: found.account, proofs: proofs, sends: found.sends, failures: found.failures)
        }
    }

    nonisolated(nonsending) func address(link: Data) async throws -> AddressRecord? {
        let key = try await rows.first("SELECT address FROM mail WHERE link = \(link)", as: Data.self)
        guard let key else { return nil }
        return try await address(key: key)
    }

    fileprivate static func address(_ row: SQLRow) throws -> AddressRecord {
        AddressRecord(
            key: try row["key"], account: try row["account"],
            sends: try row["sends", as: String.self].split(separator: " ").compactMap(send),
            failures: try row["failures"])
    }

    /// A time and a network's tag; only the time in rows of earlier versions.
    fileprivate static func send(_ text: Substring) -> Send? {
        let parts = text.split(separator: "@", maxSplits: 1)
        guard let time = parts.first.flatMap({ Int64($0) }) else { return nil }
        return Send(AuthTime(milliseconds: time), from: parts.count == 2 ? String(parts[1]) : "")
    }

    fileprivate static func proof(_ row: SQLRow) throws -> Proof {
        Proof(
            link: try row["link"], code: try row["code"],
            createdAt: AuthTime(milliseconds: try row["created_at"]), challenge: try row["challenge"],
            newcomer: try row["newcomer"], redirect: try row["redirect"], network: try row["network"],
            attempts: try row["attempts"], foreignAttempts: try row["foreign_attempts"],
            usedAt: try row["used_at", as: Int64?.self].map { AuthTime(milliseconds: $0) })
    }

    // MARK: Accounts and networks

    nonisolated(nonsending) func account(id: String) async throws -> Account? {
        try await rows.first("SELECT \(sql: Self.accountColumns) WHERE id = \(id)", Self.account)
    }

    nonisolated(nonsending) func account(address: EmailAddress) async throws -> Account? {
        try await rows.first("SELECT \(sql: Self.accountColumns) WHERE address = \(address.value)", Self.account)
    }

    nonisolated(nonsending) func accounts(
        matching part: String?, offset: Int, limit: Int
    ) async throws -> [Account] {
        try await rows.query(
            """
            SELECT \(sql: Self.accountColumns) WHERE \(sql: Self.matches(part))
            ORDER BY created_at DESC, id DESC LIMIT \(limit) OFFSET \(offset)
            """, Self.account)
    }

    nonisolated(nonsending) func accountCount(matching part: String?) async throws -> Int {
        try await rows.first("SELECT count(*) FROM account WHERE \(sql: Self.matches(part))", as: Int.self) ?? 0
    }

    private static func matches(_ part: String?) -> SQL {
        guard let part else { return "1 = 1" }
        let pattern =
            part.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
        return "(id = \(part) OR address LIKE \("%" + pattern + "%") ESCAPE \("\\"))"
    }

    private static var accountColumns: SQL {
        "id, address, created_at, metadata, confirmed_at, invited_at, banned_until FROM account"
    }

    fileprivate static func account(_ row: SQLRow) throws -> Account {
        Account(
            id: try row["id"], address: try EmailAddress(row["address"]),
            createdAt: AuthTime(milliseconds: try row["created_at"]),
            metadata: try AccountMetadata(json: row["metadata", as: String.self].utf8),
            confirmedAt: try time(row, "confirmed_at"), invitedAt: try time(row, "invited_at"),
            bannedUntil: try time(row, "banned_until"))
    }

    private static func time(_ row: SQLRow, _ column: String) throws -> AuthTime? {
        try row[column, as: Int64?.self].map { AuthTime(milliseconds: $0) }
    }

    nonisolated(nonsending) func limits(of prefix: NetworkPrefix) async throws -> PrefixLimits? {
        try await rows.first(
            "SELECT sends_empty_at, attempts_empty_at FROM network WHERE prefix = \(prefix.value)"
        ) { row in
            PrefixLimits(
                sends: RateBucket(emptyAt: AuthTime(milliseconds: try row["sends_empty_at"])),
                attempts: RateBucket(emptyAt: AuthTime(milliseconds: try row["attempts_empty_at"])))
        }
    }
}
