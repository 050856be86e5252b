// SPDX-License-Identifier: MIT

import Persistence

/// The tables of recordings and of the work on them. Never change a released migration: add the next.
enum RecordingSchema {
    static let migrations = [
        Migration(
            name: "recordings",
            sql: """
                CREATE TABLE recording (
                    account TEXT NOT NULL, id TEXT NOT NULL, cue TEXT NOT NULL, created_at INTEGER NOT NULL,
                    duration REAL NOT NULL, format TEXT NOT NULL, sample_rate INTEGER NOT NULL,
                    byte_count INTEGER NOT NULL, hash TEXT NOT NULL, received_at INTEGER NOT NULL,
                    PRIMARY KEY (account, id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX recording_by_time ON recording (account, created_at, id);
                CREATE TABLE upload (
                    account TEXT NOT NULL, id TEXT NOT NULL, cue TEXT NOT NULL, created_at INTEGER NOT NULL,
                    duration REAL NOT NULL, format TEXT NOT NULL, sample_rate INTEGER NOT NULL,
                    byte_count INTEGER NOT NULL, hash TEXT NOT NULL, touched_at INTEGER NOT NULL,
                    unverified_from INTEGER,
                    PRIMARY KEY (account, id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX upload_by_time ON upload (touched_at);
                CREATE TABLE evaluation_job (
                    number INTEGER PRIMARY KEY, account TEXT NOT NULL, recording TEXT NOT NULL, state TEXT NOT NULL,
                    attempts INTEGER NOT NULL, reason TEXT, evaluation BLOB,
                    UNIQUE (account, recording)
                ) STRICT;
                CREATE INDEX evaluation_job_by_state ON evaluation_job (state, number);
                CREATE TABLE presence (account TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE deletion (
                    id TEXT PRIMARY KEY, account TEXT NOT NULL, asked_at INTEGER NOT NULL, deleted_at INTEGER,
                    counts TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        // An order that was superseded by a later one is closed with it: its data is deleted.
        Migration(
            name: "deletion extent",
            sql: """
                ALTER TABLE deletion ADD COLUMN last_change INTEGER;
                ALTER TABLE deletion ADD COLUMN removed_results INTEGER NOT NULL DEFAULT 0;
                DELETE FROM deletion WHERE deleted_at IS NULL AND EXISTS (
                    SELECT 1 FROM deletion AS later WHERE later.account = deletion.account
                        AND later.deleted_at IS NOT NULL AND later.asked_at >= deletion.asked_at);
                CREATE INDEX deletion_by_account ON deletion (account, deleted_at);
                """),
        Migration(
            name: "recordings by arrival", sql: "CREATE INDEX recording_by_arrival ON recording (received_at);"),
        // An open order from before the relay removes no objects.
        Migration(
            name: "deletion of objects",
            sql: """
                ALTER TABLE deletion ADD COLUMN last_object INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE deletion ADD COLUMN removed_objects INTEGER NOT NULL DEFAULT 0;
                """),
        // A job that was running without a lease is this home's own, cut off by the end of its process.
        Migration(
            name: "leases",
            sql: """
                ALTER TABLE evaluation_job ADD COLUMN owner TEXT;
                ALTER TABLE evaluation_job ADD COLUMN lease_until INTEGER;
                ALTER TABLE upload ADD COLUMN owner TEXT;
                ALTER TABLE upload ADD COLUMN lease_until INTEGER;
                """),
        Migration(
            name: "orders to remove sound",
            sql: """
                CREATE TABLE sound_removal (account TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (account, name))
                    STRICT, WITHOUT ROWID;
                """),
        Migration(name: "pieces of uploads", sql: "ALTER TABLE upload ADD COLUMN pieces TEXT;"),
        Migration(
            name: "usage of recordings",
            sql: """
                CREATE TABLE recording_usage (
                    account TEXT PRIMARY KEY, recordings INTEGER NOT NULL, uploads INTEGER NOT NULL,
                    bytes INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                INSERT INTO recording_usage (account, recordings, uploads, bytes)
                SELECT account, sum(recordings), sum(uploads), sum(byte_count) FROM (
                    SELECT account, 1 AS recordings, 0 AS uploads, byte_count FROM recording
                    UNION ALL SELECT account, 0, 1, byte_count FROM upload)
                GROUP BY account;
                """),
    ]
}
