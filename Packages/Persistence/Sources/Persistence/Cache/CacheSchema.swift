// SPDX-License-Identifier: MIT

enum CacheSchema {
    /// The contents have a table of their own: SQLite writes a row as a whole, and a hit changes only `used`.
    static let migrations = [
        Migration(
            name: "cache 1",
            sql: """
                CREATE TABLE cache_entry (
                    id INTEGER PRIMARY KEY,
                    key TEXT NOT NULL UNIQUE,
                    size INTEGER NOT NULL,
                    stored_at INTEGER NOT NULL,
                    used INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX cache_entry_used ON cache_entry (used, size);
                CREATE INDEX cache_entry_stored ON cache_entry (stored_at);
                CREATE TABLE cache_content (
                    entry INTEGER PRIMARY KEY REFERENCES cache_entry (id) ON DELETE CASCADE,
                    metadata BLOB NOT NULL,
                    bytes BLOB NOT NULL
                ) STRICT;
                CREATE TABLE cache_total (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    entries INTEGER NOT NULL,
                    bytes INTEGER NOT NULL
                ) STRICT;
                INSERT INTO cache_total VALUES (1, 0, 0);
                CREATE TRIGGER cache_entry_added AFTER INSERT ON cache_entry BEGIN
                    UPDATE cache_total SET entries = entries + 1, bytes = bytes + new.size;
                END;
                CREATE TRIGGER cache_entry_removed AFTER DELETE ON cache_entry BEGIN
                    UPDATE cache_total SET entries = entries - 1, bytes = bytes - old.size;
                END;
                """)
    ]
}
