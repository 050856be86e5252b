// SPDX-License-Identifier: MIT

import Persistence

/// The tables of conversations. A migration that has shipped is never changed; a new one is added after it.
enum ConversationSchema {
    static let migrations: [Migration] =
        [
            Migration(
                name: "conversations",
                sql: """
                    CREATE TABLE conversation (
                        id TEXT PRIMARY KEY NOT NULL,
                        started_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE message (
                        number INTEGER PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        conversation TEXT NOT NULL REFERENCES conversation (id),
                        turn TEXT NOT NULL,
                        role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
                        modality TEXT NOT NULL CHECK (modality IN ('text', 'voice')),
                        text TEXT NOT NULL,
                        created_at INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX message_by_conversation ON message (conversation, number);
                    CREATE VIRTUAL TABLE message_text USING fts5 (
                        text, content = 'message', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
                    );
                    """),
            // SQLite cannot change a CHECK, so the table is made anew. AUTOINCREMENT gives no number twice, which cursors
            // rely on. A salvaged file may have messages whose conversation is lost.
            Migration(
                name: "answers of every source",
                sql: """
                    ALTER TABLE conversation ADD COLUMN title TEXT;
                    ALTER TABLE conversation ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
                    INSERT OR IGNORE INTO conversation (id, started_at)
                        SELECT conversation, min(created_at) FROM message GROUP BY conversation;
                    CREATE TABLE message_2 (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        conversation TEXT NOT NULL REFERENCES conversation (id),
                        turn TEXT NOT NULL,
                        role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
                        modality TEXT NOT NULL CHECK (modality IN ('text', 'voice')),
                        text TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('whole', 'partial', 'interrupted')),
                        heard INTEGER,
                        source TEXT,
                        device TEXT,
                        input_tokens INTEGER,
                        output_tokens INTEGER,
                        cost REAL,
                        call_id TEXT,
                        call_name TEXT,
                        call_arguments TEXT,
                        call_is_error INTEGER
                    ) STRICT;
                    INSERT INTO message_2 (number, id, conversation, turn, role, modality, text, created_at, state)
                        SELECT number, id, conversation, turn, role, modality, text, created_at, 'whole' FROM message;
                    DROP TABLE message;
                    ALTER TABLE message_2 RENAME TO message;
                    CREATE INDEX message_by_conversation ON message (conversation, number);
                    CREATE INDEX message_by_turn ON message (turn);
                    """),
        ] + Outbox.migrations + [
            Migration(
                name: "attachments",
                sql: """
                    CREATE TABLE attachment (
                        number INTEGER PRIMARY KEY,
                        message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX attachment_by_message ON attachment (message, number);
                    """),
            // Messages of another device arrive later than they were written. Their order is the time of writing, made
            // strictly increasing within a conversation, so that a clock that is set back changes nothing.
            Migration(
                name: "order of messages",
                sql: """
                    ALTER TABLE message ADD COLUMN ordered_at INTEGER NOT NULL DEFAULT 0;
                    UPDATE message SET ordered_at = place FROM (
                        SELECT number AS moved, count + max(created_at - count)
                            OVER (PARTITION BY conversation ORDER BY number) AS place
                        FROM (
                            SELECT number, conversation, created_at,
                                row_number() OVER (PARTITION BY conversation ORDER BY number) AS count
                            FROM message
                        )
                    ) WHERE number = moved;
                    CREATE INDEX message_by_order ON message (conversation, ordered_at, id);
                    """),
            // A measurement goes with the last message of its turn, whether a person or another device deletes that. Times
            // are microseconds.
            Migration(
                name: "measurements of turns",
                sql: """
                    CREATE TABLE turn_measurement (
                        turn TEXT PRIMARY KEY NOT NULL,
                        started_at INTEGER NOT NULL,
                        modality TEXT NOT NULL,
                        outcome TEXT NOT NULL,
                        code TEXT,
                        endpoint INTEGER,
                        recognition INTEGER,
                        answer INTEGER,
                        whole_answer INTEGER,
                        synthesis INTEGER,
                        playback INTEGER,
                        reply INTEGER,
                        sentences INTEGER NOT NULL,
                        cached_sentences INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX turn_measurement_by_start ON turn_measurement (started_at);
                    CREATE TRIGGER turn_measurement_gone AFTER DELETE ON message
                    WHEN NOT EXISTS (SELECT 1 FROM message WHERE turn = OLD.turn) BEGIN
                        DELETE FROM turn_measurement WHERE turn = OLD.turn;
                    END;
                    """),
        ]
}
