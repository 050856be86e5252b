// SPDX-License-Identifier: MIT

import Persistence

/// The tables of the mail queue. Never change a released migration: add the next.
enum MailSchema {
    /// The queue of earlier versions is an outbox; its waiting mails move.
    static let migrations =
        Outbox.migrations + [
            Migration(
                name: "letters",
                sql: """
                    CREATE TABLE letter (
                        id TEXT PRIMARY KEY, content BLOB NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
                        owner TEXT, lease_until INTEGER
                    ) STRICT;
                    CREATE INDEX letter_by_time ON letter (due_at, id);
                    INSERT INTO letter (id, content, attempts, due_at)
                    SELECT idempotency_key, bytes, 0, 0 FROM outbox_item JOIN outbox_payload ON item = id WHERE stage < 2;
                    DROP TABLE outbox_payload;
                    DROP TABLE outbox_item;
                    DROP TABLE outbox_done;
                    DROP TABLE outbox_total;
                    """),
            Migration(
                name: "notifications, and the reasons of failures",
                sql: """
                    ALTER TABLE letter ADD COLUMN queued_at INTEGER;
                    ALTER TABLE letter ADD COLUMN failure TEXT;
                    CREATE TABLE notification (
                        id TEXT PRIMARY KEY, content BLOB NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
                        owner TEXT, lease_until INTEGER, queued_at INTEGER, failure TEXT
                    ) STRICT;
                    CREATE INDEX notification_by_time ON notification (due_at, id);
                    """),
        ]
}
