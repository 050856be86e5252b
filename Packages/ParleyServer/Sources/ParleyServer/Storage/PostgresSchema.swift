// SPDX-License-Identifier: MIT

import Postgres

/// The tables of a server in PostgreSQL, all in one schema. Never change a released migration: add the next.
///
/// Columns have the names and the types of SQLite's tables: BIGINT for numbers, truth values and milliseconds. Texts that
/// are compared or sorted have the collation "C", which sorts by bytes as SQLite does.
enum PostgresSchema {
    static let migrations = [
        PostgresMigration(
            name: "1 server", sql: accounts, recordings, relay, letters, practice, instances),
        PostgresMigration(name: "2 administration", sql: administration),
        PostgresMigration(name: "3 pieces of uploads", sql: "ALTER TABLE upload ADD COLUMN pieces TEXT;"),
        PostgresMigration(name: "4 usage of recordings", sql: usage),
        PostgresMigration(name: "5 audit", sql: audit),
        PostgresMigration(
            name: "6 confirmed refreshes", sql: "ALTER TABLE session ADD COLUMN confirmed_generation BIGINT;"),
    ]

    private static let accounts: StaticString = """
        CREATE TABLE account (
            id TEXT COLLATE "C" PRIMARY KEY, address TEXT COLLATE "C" NOT NULL UNIQUE, created_at BIGINT NOT NULL,
            metadata TEXT NOT NULL DEFAULT '{}'
        );
        CREATE TABLE address (
            key BYTEA PRIMARY KEY, account TEXT COLLATE "C" REFERENCES account (id), failures BIGINT NOT NULL,
            sends TEXT NOT NULL
        );
        CREATE INDEX address_of_account ON address (account);
        CREATE TABLE mail (
            link BYTEA PRIMARY KEY, address BYTEA NOT NULL REFERENCES address (key) ON DELETE CASCADE, code BYTEA,
            created_at BIGINT NOT NULL, challenge TEXT, newcomer TEXT, redirect TEXT, network TEXT NOT NULL,
            attempts BIGINT NOT NULL, foreign_attempts BIGINT NOT NULL, used_at BIGINT
        );
        CREATE INDEX mail_of_address ON mail (address, created_at);
        CREATE TABLE session (
            id TEXT COLLATE "C" PRIMARY KEY, account TEXT COLLATE "C" NOT NULL REFERENCES account (id),
            salt BYTEA NOT NULL, created_at BIGINT NOT NULL, device TEXT NOT NULL, generation BIGINT NOT NULL,
            rotated_at BIGINT NOT NULL, end_reason TEXT
        );
        CREATE INDEX session_of_account ON session (account, created_at, id);
        CREATE TABLE authorization_code (
            code BYTEA PRIMARY KEY, account TEXT COLLATE "C" NOT NULL REFERENCES account (id), challenge TEXT NOT NULL,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX authorization_code_of_account ON authorization_code (account);
        CREATE TABLE network (
            prefix TEXT COLLATE "C" PRIMARY KEY, sends_empty_at BIGINT NOT NULL, attempts_empty_at BIGINT NOT NULL
        );
        CREATE TABLE erasure (
            account TEXT COLLATE "C" PRIMARY KEY, id TEXT COLLATE "C" NOT NULL, asked_at BIGINT NOT NULL,
            done_at BIGINT, counts TEXT NOT NULL
        );
        """

    private static let recordings: StaticString = """
        CREATE TABLE recording (
            account TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, cue TEXT NOT NULL,
            created_at BIGINT NOT NULL, duration DOUBLE PRECISION NOT NULL, format TEXT NOT NULL,
            sample_rate BIGINT NOT NULL, byte_count BIGINT NOT NULL, hash TEXT NOT NULL, received_at BIGINT NOT NULL,
            PRIMARY KEY (account, id)
        );
        CREATE INDEX recording_by_time ON recording (account, created_at, id);
        CREATE INDEX recording_by_arrival ON recording (received_at);
        CREATE TABLE upload (
            account TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, cue TEXT NOT NULL,
            created_at BIGINT NOT NULL, duration DOUBLE PRECISION NOT NULL, format TEXT NOT NULL,
            sample_rate BIGINT NOT NULL, byte_count BIGINT NOT NULL, hash TEXT NOT NULL, touched_at BIGINT NOT NULL,
            unverified_from BIGINT, owner TEXT, lease_until BIGINT,
            PRIMARY KEY (account, id)
        );
        CREATE INDEX upload_by_time ON upload (touched_at);
        CREATE TABLE evaluation_job (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account TEXT COLLATE "C" NOT NULL,
            recording TEXT COLLATE "C" NOT NULL, state TEXT NOT NULL, attempts BIGINT NOT NULL, reason TEXT,
            evaluation BYTEA, owner TEXT, lease_until BIGINT,
            UNIQUE (account, recording)
        );
        CREATE INDEX evaluation_job_by_state ON evaluation_job (state, number);
        CREATE TABLE sound_removal (
            account TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, PRIMARY KEY (account, name)
        );
        CREATE TABLE presence (account TEXT COLLATE "C" PRIMARY KEY, seen_at BIGINT NOT NULL);
        CREATE TABLE setting (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE deletion (
            id TEXT COLLATE "C" PRIMARY KEY, account TEXT COLLATE "C" NOT NULL, asked_at BIGINT NOT NULL,
            deleted_at BIGINT, counts TEXT NOT NULL, last_change BIGINT, removed_results BIGINT NOT NULL DEFAULT 0,
            last_object BIGINT NOT NULL DEFAULT 0, removed_objects BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX deletion_by_account ON deletion (account, deleted_at);
        """

    private static let usage: StaticString = """
        CREATE TABLE recording_usage (
            account TEXT COLLATE "C" PRIMARY KEY, recordings BIGINT NOT NULL, uploads BIGINT NOT NULL,
            bytes BIGINT NOT NULL
        );
        LOCK TABLE recording, upload IN SHARE MODE;
        INSERT INTO recording_usage (account, recordings, uploads, bytes)
        SELECT account, sum(recordings), sum(uploads), sum(byte_count) FROM (
            SELECT account, 1 AS recordings, 0 AS uploads, byte_count FROM recording
            UNION ALL SELECT account, 0, 1, byte_count FROM upload) AS sound
        GROUP BY account;
        """

    private static let audit: StaticString = """
        CREATE TABLE audit_event (
            happened_at BIGINT NOT NULL, id TEXT COLLATE "C" NOT NULL, event TEXT NOT NULL, account TEXT COLLATE "C",
            details TEXT NOT NULL, PRIMARY KEY (happened_at, id)
        );
        CREATE INDEX audit_event_of_account ON audit_event (account, happened_at, id);
        """

    private static let relay: StaticString = """
        CREATE TABLE relay (epoch TEXT NOT NULL);
        CREATE TABLE sync_account (
            account TEXT COLLATE "C" PRIMARY KEY, last_number BIGINT NOT NULL, objects BIGINT NOT NULL,
            bytes BIGINT NOT NULL
        );
        CREATE TABLE sync_object (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account TEXT COLLATE "C" NOT NULL,
            group_id BYTEA NOT NULL, number BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, size BIGINT NOT NULL,
            content BYTEA NOT NULL
        );
        CREATE UNIQUE INDEX sync_object_by_name ON sync_object (account, group_id, name);
        CREATE UNIQUE INDEX sync_object_by_number ON sync_object (account, group_id, number);
        """

    private static let letters: StaticString = """
        CREATE TABLE letter (
            id TEXT COLLATE "C" PRIMARY KEY, content BYTEA NOT NULL, attempts BIGINT NOT NULL, due_at BIGINT NOT NULL,
            owner TEXT, lease_until BIGINT
        );
        CREATE INDEX letter_by_time ON letter (due_at, id);
        """

    private static let administration: StaticString = """
        ALTER TABLE account ADD COLUMN confirmed_at BIGINT, ADD COLUMN invited_at BIGINT, ADD COLUMN banned_until BIGINT;
        UPDATE account SET confirmed_at = created_at;
        CREATE INDEX account_by_time ON account (created_at, id);
        ALTER TABLE letter ADD COLUMN queued_at BIGINT, ADD COLUMN failure TEXT;
        CREATE TABLE notification (
            id TEXT COLLATE "C" PRIMARY KEY, content BYTEA NOT NULL, attempts BIGINT NOT NULL, due_at BIGINT NOT NULL,
            owner TEXT, lease_until BIGINT, queued_at BIGINT, failure TEXT
        );
        CREATE INDEX notification_by_time ON notification (due_at, id);
        """

    /// Changes are numbered within their account, in the transaction that counts its results: a number that is seen
    /// means that every lower one is seen, too.
    private static let practice: StaticString = """
        CREATE TABLE cue (
            id TEXT COLLATE "C" PRIMARY KEY, text TEXT NOT NULL, language TEXT COLLATE "C" NOT NULL,
            topic TEXT COLLATE "C" NOT NULL, level BIGINT NOT NULL CHECK (level BETWEEN 1 AND 6), hint TEXT,
            created_at BIGINT NOT NULL,
            words TSVECTOR NOT NULL GENERATED ALWAYS AS (
                to_tsvector('simple', regexp_replace(
                    normalize(text || ' ' || coalesce(hint, ''), NFD), '[\\u0300-\\u036F]', '', 'g'))) STORED
        );
        CREATE INDEX cue_by_time ON cue (created_at, id);
        CREATE INDEX cue_by_topic ON cue (topic, created_at, id);
        CREATE INDEX cue_by_words ON cue USING gin (words);
        CREATE TABLE practice_account (
            account TEXT COLLATE "C" PRIMARY KEY, last_change BIGINT NOT NULL, results BIGINT NOT NULL,
            bytes BIGINT NOT NULL
        );
        CREATE TABLE practice_result (
            account TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, cue TEXT COLLATE "C" NOT NULL,
            cue_text TEXT NOT NULL, language TEXT COLLATE "C" NOT NULL, recording TEXT, practised_at BIGINT NOT NULL,
            day BIGINT NOT NULL, rating BIGINT NOT NULL CHECK (rating BETWEEN 1 AND 4), evaluation TEXT,
            size BIGINT NOT NULL,
            PRIMARY KEY (account, id)
        );
        CREATE INDEX practice_result_by_time ON practice_result (account, practised_at, id);
        CREATE INDEX practice_result_by_cue ON practice_result (account, cue, practised_at, id);
        CREATE TABLE practice_change (
            account TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL,
            is_deleted BIGINT NOT NULL,
            PRIMARY KEY (account, id)
        );
        CREATE UNIQUE INDEX practice_change_by_number ON practice_change (account, number);
        """
}
