// SPDX-License-Identifier: MIT

import Persistence

/// The tables of sign-in. Never change a released migration: add the next.
enum AuthSchema {
    static let migrations = [
        Migration(
            name: "sign-in",
            sql: """
                CREATE TABLE account (
                    id TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE address (
                    key BLOB PRIMARY KEY, account TEXT REFERENCES account (id), failures INTEGER NOT NULL,
                    sends TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE proof (
                    address BLOB PRIMARY KEY REFERENCES address (key) ON DELETE CASCADE, link BLOB NOT NULL UNIQUE,
                    code BLOB, created_at INTEGER NOT NULL, challenge TEXT, newcomer TEXT, redirect TEXT,
                    attempts INTEGER NOT NULL, used_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE session (
                    id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES account (id), salt BLOB NOT NULL,
                    created_at INTEGER NOT NULL, device TEXT NOT NULL, generation INTEGER NOT NULL,
                    rotated_at INTEGER NOT NULL, end_reason TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX session_of_account ON session (account, created_at, id);
                CREATE TABLE authorization_code (
                    code BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES account (id), challenge TEXT NOT NULL,
                    created_at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE network (
                    prefix TEXT PRIMARY KEY, sends_empty_at INTEGER NOT NULL, attempts_empty_at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            name: "erasure",
            sql: """
                CREATE TABLE erasure (
                    account TEXT PRIMARY KEY, id TEXT NOT NULL, asked_at INTEGER NOT NULL, done_at INTEGER,
                    counts TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                """),
        Migration(
            name: "several mails at once, and metadata",
            sql: """
                CREATE TABLE mail (
                    link BLOB PRIMARY KEY, address BLOB NOT NULL REFERENCES address (key) ON DELETE CASCADE,
                    code BLOB, created_at INTEGER NOT NULL, challenge TEXT, newcomer TEXT, redirect TEXT,
                    network TEXT NOT NULL, attempts INTEGER NOT NULL, foreign_attempts INTEGER NOT NULL, used_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX mail_of_address ON mail (address, created_at);
                INSERT INTO mail (
                    link, address, code, created_at, challenge, newcomer, redirect, network, attempts, foreign_attempts,
                    used_at)
                SELECT link, address, code, created_at, challenge, newcomer, redirect, '', attempts, 0, used_at FROM proof;
                DROP TABLE proof;
                ALTER TABLE account ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
                """),
        // Until now only a sign-in made an account.
        Migration(
            name: "administration",
            sql: """
                ALTER TABLE account ADD COLUMN confirmed_at INTEGER;
                ALTER TABLE account ADD COLUMN invited_at INTEGER;
                ALTER TABLE account ADD COLUMN banned_until INTEGER;
                UPDATE account SET confirmed_at = created_at;
                CREATE INDEX account_by_time ON account (created_at, id);
                """),
        Migration(
            name: "audit",
            sql: """
                CREATE TABLE audit_event (
                    happened_at INTEGER NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL, account TEXT,
                    details TEXT NOT NULL, PRIMARY KEY (happened_at, id)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX audit_event_of_account ON audit_event (account, happened_at, id);
                """),
        Migration(
            name: "confirmed refreshes", sql: "ALTER TABLE session ADD COLUMN confirmed_generation INTEGER;"),
    ]
}
