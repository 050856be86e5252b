// SPDX-License-Identifier: MIT

import Persistence

/// The tables of conversations. A migration that has shipped is never changed; a new one is added after it.
enum ConversationSchema {
    static let migrations: [Migration] = [
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
                """)
    ]
}
