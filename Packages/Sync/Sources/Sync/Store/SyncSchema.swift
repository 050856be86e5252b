// SPDX-License-Identifier: MIT

import Persistence

enum SyncSchema {
    static let migrations = [
        Migration(
            name: "sync",
            sql: """
                CREATE TABLE sync_setting (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID
                """,
            """
            CREATE TABLE sync_membership (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE sync_log (
                device BLOB PRIMARY KEY, sequence INTEGER NOT NULL, hash BLOB NOT NULL, base INTEGER NOT NULL,
                sequence_limit INTEGER NOT NULL, confirmed INTEGER NOT NULL, content INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE sync_entry (
                device BLOB NOT NULL, sequence INTEGER NOT NULL, epoch BLOB NOT NULL, box BLOB NOT NULL,
                hash BLOB NOT NULL, state INTEGER NOT NULL, PRIMARY KEY (device, sequence)
            ) STRICT
            """,
            """
            CREATE INDEX sync_entry_state ON sync_entry (state, device, sequence) WHERE state != 0
            """,
            """
            CREATE TABLE sync_change (
                kind INTEGER NOT NULL, id BLOB NOT NULL, device BLOB NOT NULL, sequence INTEGER NOT NULL,
                milliseconds INTEGER NOT NULL, counter INTEGER NOT NULL, fields BLOB NOT NULL,
                PRIMARY KEY (kind, id, device, sequence)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE sync_changed (
                number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, id BLOB NOT NULL, UNIQUE (kind, id)
            ) STRICT
            """,
            """
            CREATE TABLE sync_wanted (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE sync_outgoing (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT
            """)
    ]
}
