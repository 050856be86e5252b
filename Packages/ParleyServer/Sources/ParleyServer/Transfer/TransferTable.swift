// SPDX-License-Identifier: MIT

import Persistence

/// A table of a server's rows, which a home's files and PostgreSQL both have.
struct TransferTable: Sendable {
    /// The files of a home, by their names without `.sqlite`.
    enum File: String, Sendable, CaseIterable {
        case server, recordings, sync, mails, practice
    }

    /// The names of a table's parts in one kind of database.
    struct Shape: Sendable {
        var source: SQL
        /// The columns of the key come first.
        var columns: SQL
        var key: SQL
        /// The number of the key's columns.
        var keyWidth: Int { key.text.split(separator: ",").count }
    }

    /// The name in PostgreSQL.
    let name: String
    let file: File
    let shared: Shape
    let home: Shape
    /// A number that the database assigns, and that is kept.
    let hasNumber: Bool
    /// True if a home has these rows only as what follows from others.
    let isDerived: Bool
    /// The most rows of one transaction. Rows with large values have few.
    let batch: Int
    /// The rows that are the server's; the others are the transfer's own.
    let filter: SQL

    /// - Parameter home: The shape in a home, if it is another one.
    private init(
        _ name: StaticString, _ file: File, key: SQL, _ columns: SQL, home: Shape? = nil, hasNumber: Bool = false,
        isDerived: Bool = false, batch: Int = 500, filter: SQL = "1 = 1"
    ) {
        let source: SQL = "\(literal: name)"
        (self.name, self.file) = (source.text, file)
        shared = Shape(source: source, columns: columns, key: key)
        self.home = home ?? shared
        (self.hasNumber, self.isDerived, self.batch, self.filter) = (hasNumber, isDerived, batch, filter)
    }

    /// All tables with rows to move, a table after those that it refers to. A migration that adds a table or a column adds
    /// it here.
    static let all = [
        TransferTable(
            "account", .server, key: "id",
            "id, address, created_at, metadata, confirmed_at, invited_at, banned_until"),
        TransferTable("address", .server, key: "key", "key, account, failures, sends"),
        TransferTable(
            "mail", .server, key: "link",
            """
            link, address, code, created_at, challenge, newcomer, redirect, network, attempts, foreign_attempts, used_at
            """),
        TransferTable(
            "session", .server, key: "id",
            "id, account, salt, created_at, device, generation, rotated_at, confirmed_generation, end_reason"),
        TransferTable("authorization_code", .server, key: "code", "code, account, challenge, created_at"),
        TransferTable("network", .server, key: "prefix", "prefix, sends_empty_at, attempts_empty_at"),
        TransferTable("erasure", .server, key: "account", "account, id, asked_at, done_at, counts"),
        TransferTable(
            "audit_event", .server, key: "happened_at, id", "happened_at, id, event, account, details"),
        TransferTable(
            "recording", .recordings, key: "account, id",
            "account, id, cue, created_at, duration, format, sample_rate, byte_count, hash, received_at"),
        TransferTable(
            "upload", .recordings, key: "account, id",
            """
            account, id, cue, created_at, duration, format, sample_rate, byte_count, hash, touched_at, unverified_from,
            owner, lease_until, pieces
            """),
        TransferTable("recording_usage", .recordings, key: "account", "account, recordings, uploads, bytes"),
        TransferTable(
            "evaluation_job", .recordings, key: "number",
            "number, account, recording, state, attempts, reason, evaluation, owner, lease_until", hasNumber: true),
        TransferTable("sound_removal", .recordings, key: "account, name", "account, name"),
        TransferTable("presence", .recordings, key: "account", "account, seen_at"),
        TransferTable(
            "setting", .recordings, key: "name", "name, value",
            filter: "name <> \(TransferMark.name)"),
        TransferTable(
            "deletion", .recordings, key: "id",
            """
            id, account, asked_at, deleted_at, counts, last_change, removed_results, last_object, removed_objects
            """),
        TransferTable("relay", .sync, key: "epoch", "epoch"),
        TransferTable("sync_account", .sync, key: "account", "account, last_number, objects, bytes"),
        TransferTable(
            "sync_object", .sync, key: "account, group_id, name", "account, group_id, name, number, size, content",
            batch: 8),
        TransferTable(
            "letter", .mails, key: "id", "id, content, attempts, due_at, owner, lease_until, queued_at, failure"),
        TransferTable(
            "notification", .mails, key: "id", "id, content, attempts, due_at, owner, lease_until, queued_at, failure"),
        TransferTable("cue", .practice, key: "id", "id, text, language, topic, level, hint, created_at"),
        // A home has one counter for all accounts. A cursor of any of them stays below it.
        TransferTable(
            "practice_account", .practice, key: "account", "account, last_change, results, bytes",
            home: Shape(
                source: """
                    (SELECT people.owner, (SELECT seq FROM sqlite_sequence WHERE name = 'practice_change') AS last_change,
                        count(result.id) AS results, coalesce(sum(result.size), 0) AS bytes
                    FROM (SELECT DISTINCT owner FROM practice_change WHERE owner <> '') AS people
                    LEFT JOIN practice_result AS result ON result.owner = people.owner GROUP BY people.owner)
                    """, columns: "owner, last_change, results, bytes", key: "owner"), isDerived: true, batch: 10_000),
        TransferTable(
            "practice_result", .practice, key: "account, id",
            "account, id, cue, cue_text, language, recording, practised_at, day, rating, evaluation, size",
            home: Shape(
                source: "practice_result",
                columns: "owner, id, cue, cue_text, language, recording, practised_at, day, rating, evaluation, size",
                key: "owner, id")),
        TransferTable(
            "practice_change", .practice, key: "account, id", "account, id, number, is_deleted",
            home: Shape(source: "practice_change", columns: "owner, id, number, is_deleted", key: "owner, id")),
    ]

    /// Tables of PostgreSQL that stay behind: what instances agree on, keys that the secret store of a home has, and the
    /// list of migrations.
    static let leftShared: Set<String> = ["call_rate", "chore", "schema_migration", "server_key"]

    /// Tables of `practice.sqlite` that only devices fill.
    static let leftPractice: Set<String> = [
        "cue_refresh", "cue_text", "evaluation", "evaluation_awaited", "installation", "outbox_done", "outbox_item",
        "outbox_payload", "outbox_total", "pull_skipped", "pulled", "recording", "runtime_config", "runtime_rule",
        "upload_consent", "upload_held",
    ]
}
