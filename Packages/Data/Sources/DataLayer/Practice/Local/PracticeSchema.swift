// SPDX-License-Identifier: MIT

import Persistence

/// The tables of practice. A migration that has shipped is never changed; a new one is added at the end.
///
/// `owner` is the row's account; it is empty on a device where nobody was signed in.
enum PracticeSchema {
    /// All migrations are in one list for one file, so that a result and its queue item are one transaction.
    static var migrations: [Migration] {
        [cues, results, recordings, runtime] + Outbox.migrations + [sent, changes, sizes, consent]
    }

    private static let cues = Migration(
        name: "practice 1 cues",
        sql: """
            CREATE TABLE cue (
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                text TEXT NOT NULL,
                language TEXT NOT NULL,
                topic TEXT NOT NULL,
                level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 6),
                hint TEXT,
                created_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX cue_by_time ON cue (created_at, id);
            CREATE INDEX cue_by_topic ON cue (topic, created_at, id);
            CREATE VIRTUAL TABLE cue_text USING fts5 (
                text, hint, content = 'cue', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
            );
            CREATE TABLE cue_refresh (
                stretch TEXT PRIMARY KEY,
                refreshed_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX cue_refresh_by_time ON cue_refresh (refreshed_at);
            """)

    private static let results = Migration(
        name: "practice 2 results",
        sql: """
            CREATE TABLE practice_result (
                number INTEGER PRIMARY KEY,
                owner TEXT NOT NULL,
                id TEXT NOT NULL,
                cue TEXT NOT NULL,
                cue_text TEXT NOT NULL,
                language TEXT NOT NULL,
                recording TEXT,
                practised_at INTEGER NOT NULL,
                day INTEGER NOT NULL,
                rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 4),
                evaluation TEXT,
                UNIQUE (owner, id)
            ) STRICT;
            CREATE INDEX practice_result_by_time ON practice_result (owner, practised_at, id);
            CREATE INDEX practice_result_by_cue ON practice_result (owner, cue, practised_at, id);
            """)

    private static let recordings = Migration(
        name: "practice 3 recordings",
        sql: """
            CREATE TABLE recording (
                number INTEGER PRIMARY KEY,
                owner TEXT NOT NULL,
                id TEXT NOT NULL,
                cue TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                duration REAL NOT NULL,
                format TEXT NOT NULL,
                sample_rate INTEGER NOT NULL,
                byte_count INTEGER NOT NULL,
                sha256 TEXT NOT NULL,
                UNIQUE (owner, id)
            ) STRICT;
            CREATE INDEX recording_by_time ON recording (owner, created_at, id);
            CREATE INDEX recording_by_hash ON recording (owner, sha256);
            CREATE TABLE evaluation (
                owner TEXT NOT NULL,
                recording TEXT NOT NULL,
                source TEXT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (owner, recording, source)
            ) STRICT, WITHOUT ROWID;
            """)

    /// For recordings that were sent before this column existed, the queue's record of a week is used.
    private static let sent = Migration(
        name: "practice 5 sent recordings",
        sql: """
            ALTER TABLE recording ADD COLUMN sent_at INTEGER;
            UPDATE recording SET sent_at = created_at
                WHERE EXISTS (SELECT 1 FROM outbox_done WHERE idempotency_key = 'recording:' || id);
            """)

    /// The changes of results in order: the newest change of each. A tombstone keeps an older message or another device
    /// from restoring a result.
    private static let changes = Migration(
        name: "practice 6 changes",
        sql: """
            CREATE TABLE practice_change (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                owner TEXT NOT NULL,
                id TEXT NOT NULL,
                is_deleted INTEGER NOT NULL,
                UNIQUE (owner, id)
            ) STRICT;
            CREATE INDEX practice_change_by_owner ON practice_change (owner, number);
            INSERT INTO practice_change (owner, id, is_deleted) SELECT owner, id, 0 FROM practice_result ORDER BY number;
            CREATE TABLE pulled (
                account TEXT PRIMARY KEY,
                place TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE evaluation_awaited (
                owner TEXT NOT NULL,
                recording TEXT NOT NULL,
                since INTEGER NOT NULL,
                asked_at INTEGER NOT NULL,
                PRIMARY KEY (owner, recording)
            ) STRICT, WITHOUT ROWID;
            """)

    /// Indexes for the bytes of an account's results and for its tombstones, so that the rows need not be read.
    private static let sizes = Migration(
        name: "practice 7 sizes",
        sql: """
            ALTER TABLE practice_result ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
            UPDATE practice_result SET size = 256 + length(CAST(cue_text AS BLOB))
                + coalesce(length(CAST(evaluation AS BLOB)), 0);
            CREATE INDEX practice_result_by_size ON practice_result (owner, size);
            CREATE INDEX practice_change_deleted ON practice_change (owner, number) WHERE is_deleted;
            """)

    /// Holds back the items that waited before the question existed, until it is answered. Deletions wait in a lane of
    /// their own, since they are sent whatever the answer is.
    private static let consent = Migration(
        name: "practice 8 consent",
        sql: """
            CREATE TABLE upload_consent (
                account TEXT PRIMARY KEY,
                decision TEXT NOT NULL,
                decided_at INTEGER NOT NULL,
                text_version INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE upload_held (
                number INTEGER PRIMARY KEY,
                account TEXT NOT NULL,
                idempotency_key TEXT NOT NULL,
                ordering_key TEXT,
                payload BLOB NOT NULL,
                was_tried INTEGER NOT NULL DEFAULT 0,
                UNIQUE (account, idempotency_key)
            ) STRICT;
            INSERT INTO upload_held (account, idempotency_key, ordering_key, payload, was_tried)
                SELECT lane, idempotency_key, ordering_key, bytes, attempts > 0 FROM outbox_item JOIN outbox_payload ON item = id
                WHERE lane IS NOT NULL AND (idempotency_key LIKE 'recording:%' OR idempotency_key LIKE 'result:%')
                ORDER BY id;
            DELETE FROM outbox_payload WHERE item IN (
                SELECT id FROM outbox_item WHERE lane IS NOT NULL
                    AND (idempotency_key LIKE 'recording:%' OR idempotency_key LIKE 'result:%'));
            DELETE FROM outbox_item WHERE lane IS NOT NULL
                AND (idempotency_key LIKE 'recording:%' OR idempotency_key LIKE 'result:%');
            UPDATE outbox_item SET lane = lane || '/deletions' WHERE lane IS NOT NULL;
            CREATE TABLE pull_skipped (
                account TEXT NOT NULL,
                id TEXT NOT NULL,
                program TEXT NOT NULL,
                PRIMARY KEY (account, id)
            ) STRICT, WITHOUT ROWID;
            """)

    private static let runtime = Migration(
        name: "practice 4 flags",
        sql: """
            CREATE TABLE runtime_config (
                account TEXT PRIMARY KEY,
                fetched_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE runtime_rule (
                account TEXT NOT NULL REFERENCES runtime_config (account) ON DELETE CASCADE,
                name TEXT NOT NULL,
                type TEXT NOT NULL CHECK (type IN ('boolean', 'integer', 'number', 'text')),
                value TEXT NOT NULL,
                rollout INTEGER NOT NULL,
                expires_at INTEGER,
                PRIMARY KEY (account, name)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE installation (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                name TEXT NOT NULL
            ) STRICT;
            """)
}
