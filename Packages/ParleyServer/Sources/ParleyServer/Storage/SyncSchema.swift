// SPDX-License-Identifier: MIT

import Persistence

/// The tables of the relay. Never change a released migration: add the next.
enum SyncSchema {
    static let migrations = [
        // Objects are numbered within their account: a number tells nothing of other accounts, and is never used again.
        Migration(
            name: "relay",
            sql: """
                CREATE TABLE relay (epoch TEXT NOT NULL) STRICT;
                CREATE TABLE sync_account (
                    account TEXT PRIMARY KEY, last_number INTEGER NOT NULL, objects INTEGER NOT NULL,
                    bytes INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE sync_object (
                    id INTEGER PRIMARY KEY, account TEXT NOT NULL, group_id BLOB NOT NULL, number INTEGER NOT NULL,
                    name TEXT NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX sync_object_by_name ON sync_object (account, group_id, name);
                CREATE UNIQUE INDEX sync_object_by_number ON sync_object (account, group_id, number, name, size);
                """)
    ]
}
