// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

/// The rows in one transaction of SQLite.
struct SQLiteAuthTransaction<Access: Connection>: AuthReading {
    let connection: Access

    init(_ connection: Access) {
        self.connection = connection
    }

    // MARK: Addresses

    func address(key: Data) throws -> AddressRecord? {
        let found = try connection.first(
            "SELECT key, account, failures, sends FROM address WHERE key = \(key)", Self.address)
        // Looked up for every request, so that unknown addresses cost as much as known ones.
        let proofs = try connection.query(
            """
            SELECT link, code, created_at, challenge, newcomer, redirect, network, attempts, foreign_attempts, used_at
            FROM mail WHERE address = \(key) ORDER BY created_at DESC, link
            """, Self.proof)
        return found.map { found in
            AddressRecord(
                key: found.key, account: found.account, proofs: proofs, sends: found.sends, failures: found.failures)
        }
    }

    func address(link: Data) throws -> AddressRecord? {
        let key = try connection.first("SELECT address FROM mail WHERE link = \(link)", as: Data.self)
        return try key.flatMap { try address(key: $0) }
    }

    private static func address(_ row: borrowing Row) throws -> AddressRecord {
        AddressRecord(
            key: try row["key"], account: try row["account"],
            sends: try row["sends", as: String.self].split(separator: " ").compactMap(send),
            failures: try row["failures"])
    }

    /// A time and a network's tag; only the time in rows of earlier versions.
    private static func send(_ text: Substring) -> Send? {
        let parts = text.split(separator: "@", maxSplits: 1)
        guard let time = parts.first.flatMap({ Int64($0) }) else { return nil }
        return Send(AuthTime(milliseconds: time), from: parts.count == 2 ? String(parts[1]) : "")
    }

    private static func proof(_ row: borrowing Row) throws -> Proof {
        Proof(
            link: try row["link"], code: try row["code"],
            createdAt: AuthTime(milliseconds: try row["created_at"]), challenge: try row["challenge"],
            newcomer: try row["newcomer"], redirect: try row["redirect"], network: try row["network"],
            attempts: try row["attempts"], foreignAttempts: try row["foreign_attempts"],
            usedAt: try row["used_at", as: Int64?.self].map { AuthTime(milliseconds: $0) })
    }

    // MARK: Accounts and networks

    func account(id: String) throws -> Account? {
        try connection.first("SELECT id, address, created_at, metadata FROM account WHERE id = \(id)", Self.account)
    }

    func account(address: EmailAddress) throws -> Account? {
        try connection.first(
            "SELECT id, address, created_at, metadata FROM account WHERE address = \(address.value)", Self.account)
    }

    private static func account(_ row: borrowing Row) throws -> Account {
        Account(
            id: try row["id"], address: try EmailAddress(row["address"]),
            createdAt: AuthTime(milliseconds: try row["created_at"]),
            metadata: try AccountMetadata(json: row["metadata", as: String.self].utf8)
        )
    }

    func limits(of prefix: NetworkPrefix) throws -> PrefixLimits? {
        try connection.first(
            "SELECT sends_empty_at, attempts_empty_at FROM network WHERE prefix = \(prefix.value)"
        ) { row in
            PrefixLimits(
                sends: RateBucket(emptyAt: AuthTime(milliseconds: try row["sends_empty_at"])),
                attempts: RateBucket(emptyAt: AuthTime(milliseconds: try row["attempts_empty_at"])))
        }
    }
}

extension SQLiteAuthTransaction: AuthTransaction where Access == WritableConnection {
    func put(_ record: AddressRecord) throws {
        let sends = record.sends.map { "\($0.time.milliseconds)@\($0.network)" }.joined(separator: " ")
        try connection.execute(
            """
            INSERT INTO address (key, account, failures, sends)
            VALUES (\(record.key), \(record.account), \(record.failures), \(sends))
            ON CONFLICT (key) DO UPDATE SET account = excluded.account, failures = excluded.failures, sends = excluded.sends
            """)
        try connection.execute("DELETE FROM mail WHERE address = \(record.key)")
        for proof in record.proofs {
            try connection.execute(
                """
                INSERT INTO mail (
                    link, address, code, created_at, challenge, newcomer, redirect, network, attempts, foreign_attempts,
                    used_at)
                VALUES (
                    \(proof.link), \(record.key), \(proof.code), \(proof.createdAt.milliseconds), \(proof.challenge),
                    \(proof.newcomer), \(proof.redirect), \(proof.network), \(proof.attempts),
                    \(proof.foreignAttempts), \(proof.usedAt?.milliseconds))
                """)
        }
    }

    func add(_ account: Account) throws {
        try connection.execute(
            """
            INSERT INTO account (id, address, created_at, metadata)
            VALUES (
                \(account.id), \(account.address.value), \(account.createdAt.milliseconds),
                \(Self.text(account.metadata)))
            """)
    }

    func put(_ metadata: AccountMetadata, of account: String) throws {
        try connection.execute("UPDATE account SET metadata = \(Self.text(metadata)) WHERE id = \(account)")
    }

    private static func text(_ metadata: AccountMetadata) throws -> String {
        String(decoding: try metadata.json(), as: UTF8.self)
    }

    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO network (prefix, sends_empty_at, attempts_empty_at)
            VALUES (\(prefix.value), \(limits.sends.emptyAt.milliseconds), \(limits.attempts.emptyAt.milliseconds))
            """)
    }
}
