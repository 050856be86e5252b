// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

/// The rows as one transaction of SQLite sees them.
struct SQLiteAuthTransaction: AuthTransaction {
    let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    // MARK: Addresses

    func address(key: Data) throws -> AddressRecord? {
        try connection.first("SELECT \(sql: Self.addressColumns) WHERE address.key = \(key)", Self.address)
    }

    func address(link: Data) throws -> AddressRecord? {
        try connection.first("SELECT \(sql: Self.addressColumns) WHERE proof.link = \(link)", Self.address)
    }

    func put(_ record: AddressRecord) throws {
        let sends = record.sends.map { String($0.milliseconds) }.joined(separator: " ")
        try connection.execute(
            """
            INSERT INTO address (key, account, failures, sends)
            VALUES (\(record.key), \(record.account), \(record.failures), \(sends))
            ON CONFLICT (key) DO UPDATE SET account = excluded.account, failures = excluded.failures, sends = excluded.sends
            """)
        guard let proof = record.proof else {
            return try connection.execute("DELETE FROM proof WHERE address = \(record.key)")
        }
        try connection.execute(
            """
            INSERT OR REPLACE INTO proof
                (address, link, code, created_at, challenge, newcomer, redirect, attempts, used_at)
            VALUES (
                \(record.key), \(proof.link), \(proof.code), \(proof.createdAt.milliseconds), \(proof.challenge),
                \(proof.newcomer), \(proof.redirect), \(proof.attempts), \(proof.usedAt?.milliseconds))
            """)
    }

    private static let addressColumns: SQL = """
        address.key, account, failures, sends, link, code, created_at, challenge, newcomer, redirect, attempts, used_at
        FROM address LEFT JOIN proof ON proof.address = address.key
        """

    private static func address(_ row: borrowing Row) throws -> AddressRecord {
        let sends = try row.string(3).split(separator: " ").compactMap { Int64($0) }
        return AddressRecord(
            key: Data(try row.blob(0)), account: try row.optionalString(1),
            proof: try row.isNull(4) ? nil : proof(row), sends: sends.map { AuthTime(milliseconds: $0) },
            failures: try row.int(2))
    }

    private static func proof(_ row: borrowing Row) throws -> Proof {
        Proof(
            link: Data(try row.blob(4)), code: try row.optionalBlob(5).map { Data($0) },
            createdAt: AuthTime(milliseconds: try row.int64(6)), challenge: try row.optionalString(7),
            newcomer: try row.optionalString(8), redirect: try row.optionalString(9), attempts: try row.int(10),
            usedAt: try row.optionalInt64(11).map { AuthTime(milliseconds: $0) })
    }

    // MARK: Accounts and networks

    func account(id: String) throws -> Account? {
        try connection.first("SELECT id, address, created_at FROM account WHERE id = \(id)", Self.account)
    }

    func account(address: EmailAddress) throws -> Account? {
        try connection.first(
            "SELECT id, address, created_at FROM account WHERE address = \(address.value)", Self.account)
    }

    private static func account(_ row: borrowing Row) throws -> Account {
        Account(
            id: try row.string(0), address: try EmailAddress(row.string(1)),
            createdAt: AuthTime(milliseconds: try row.int64(2)))
    }

    func add(_ account: Account) throws {
        try connection.execute(
            """
            INSERT INTO account (id, address, created_at)
            VALUES (\(account.id), \(account.address.value), \(account.createdAt.milliseconds))
            """)
    }

    func limits(of prefix: NetworkPrefix) throws -> PrefixLimits? {
        try connection.first(
            "SELECT sends_empty_at, attempts_empty_at FROM network WHERE prefix = \(prefix.value)"
        ) { row in
            PrefixLimits(
                sends: RateBucket(emptyAt: AuthTime(milliseconds: try row.int64(0))),
                attempts: RateBucket(emptyAt: AuthTime(milliseconds: try row.int64(1))))
        }
    }

    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO network (prefix, sends_empty_at, attempts_empty_at)
            VALUES (\(prefix.value), \(limits.sends.emptyAt.milliseconds), \(limits.attempts.emptyAt.milliseconds))
            """)
    }
}
