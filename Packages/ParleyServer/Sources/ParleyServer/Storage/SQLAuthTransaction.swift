// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence

/// The rows in one transaction that writes.
struct SQLAuthTransaction: SQLAuthRows, AuthTransaction {
    let writer: any SQLWriter

    var rows: any SQLReader { writer }

    nonisolated(nonsending) func put(_ record: AddressRecord) async throws {
        let sends = record.sends.map { "\($0.time.milliseconds)@\($0.network)" }.joined(separator: " ")
        try await writer.execute(
            """
            INSERT INTO address (key, account, failures, sends)
            VALUES (\(record.key), \(record.account), \(record.failures), \(sends))
            ON CONFLICT (key) DO UPDATE SET account = excluded.account, failures = excluded.failures, sends = excluded.sends
            """)
        try await writer.execute("DELETE FROM mail WHERE address = \(record.key)")
        for proof in record.proofs {
            try await writer.execute(
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

    nonisolated(nonsending) func remove(address key: Data) async throws {
        try await writer.execute("DELETE FROM mail WHERE address = \(key)")
        try await writer.execute("DELETE FROM address WHERE key = \(key)")
    }

    nonisolated(nonsending) func add(_ account: Account) async throws {
        try await writer.execute(
            """
            INSERT INTO account (id, address, created_at, metadata, confirmed_at, invited_at, banned_until)
            VALUES (
                \(account.id), \(account.address.value), \(account.createdAt.milliseconds),
                \(Self.text(account.metadata)), \(account.confirmedAt?.milliseconds),
                \(account.invitedAt?.milliseconds), \(account.bannedUntil?.milliseconds))
            """)
    }

    nonisolated(nonsending) func put(_ account: Account) async throws {
        try await writer.execute(
            """
            UPDATE account SET metadata = \(Self.text(account.metadata)),
                confirmed_at = \(account.confirmedAt?.milliseconds), invited_at = \(account.invitedAt?.milliseconds),
                banned_until = \(account.bannedUntil?.milliseconds)
            WHERE id = \(account.id)
            """)
    }

    private static func text(_ metadata: AccountMetadata) throws -> String {
        String(decoding: try metadata.json(), as: UTF8.self)
    }

    nonisolated(nonsending) func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) async throws {
        try await writer.execute(
            """
            INSERT INTO network (prefix, sends_empty_at, attempts_empty_at)
            VALUES (\(prefix.value), \(limits.sends.emptyAt.milliseconds), \(limits.attempts.emptyAt.milliseconds))
            ON CONFLICT (prefix) DO UPDATE SET sends_empty_at = excluded.sends_empty_at,
                attempts_empty_at = excluded.attempts_empty_at
            """)
    }
}
