// SPDX-License-Identifier: MIT

enum OutboxSchema {
    /// Counts the items anew in a database with an outbox: rows that were lost with damage are still in the total.
    static func recount(on connection: WritableConnection) throws {
        try connection.writing(durability: .full) { connection in
            let tables = try connection.query(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND name IN ('outbox_item', 'outbox_payload', 'outbox_total')
                """, as: String.self)
            guard tables.count == 3 else { return }
            // An item whose payload is lost can never be delivered, and would hold up those behind it.
            try connection.execute("DELETE FROM outbox_item WHERE id NOT IN (SELECT item FROM outbox_payload)")
            try connection.execute(
                """
                INSERT OR REPLACE INTO outbox_total (id, items, bytes)
                SELECT 1, count(*), coalesce(sum(size), 0) FROM outbox_item
                """)
        }
    }

    /// `stage` is 0 pending, 1 leased, 2 poisoned. `boot`, `deadline` and `span` tell when a pending item is due or a
    /// lease ends; a span of 0 is a deadline that has passed.
    static let migrations = [
        Migration(
            name: "outbox 1",
            sql: """
                CREATE TABLE outbox_item (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    idempotency_key TEXT NOT NULL UNIQUE,
                    ordering_key TEXT,
                    enqueued_at INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    stage INTEGER NOT NULL DEFAULT 0 CHECK (stage BETWEEN 0 AND 2),
                    attempts INTEGER NOT NULL DEFAULT 0,
                    boot TEXT NOT NULL DEFAULT '',
                    deadline INTEGER NOT NULL DEFAULT 0,
                    span INTEGER NOT NULL DEFAULT 0,
                    token INTEGER,
                    reason TEXT
                ) STRICT;
                CREATE INDEX outbox_item_order ON outbox_item (ordering_key, id, stage)
                    WHERE ordering_key IS NOT NULL;
                CREATE INDEX outbox_item_timed ON outbox_item (boot, deadline, span, stage) WHERE span > 0;
                CREATE INDEX outbox_item_stage ON outbox_item (stage, id);
                CREATE TABLE outbox_payload (
                    item INTEGER PRIMARY KEY REFERENCES outbox_item (id) ON DELETE CASCADE,
                    bytes BLOB NOT NULL
                ) STRICT;
                CREATE TABLE outbox_done (
                    idempotency_key TEXT PRIMARY KEY,
                    finished_at INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX outbox_done_time ON outbox_done (finished_at);
                CREATE TABLE outbox_total (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    items INTEGER NOT NULL,
                    bytes INTEGER NOT NULL
                ) STRICT;
                INSERT INTO outbox_total VALUES (1, 0, 0);
                CREATE TRIGGER outbox_item_added AFTER INSERT ON outbox_item BEGIN
                    UPDATE outbox_total SET items = items + 1, bytes = bytes + new.size;
                END;
                CREATE TRIGGER outbox_item_removed AFTER DELETE ON outbox_item BEGIN
                    UPDATE outbox_total SET items = items - 1, bytes = bytes - old.size;
                END;
                """),
        Migration(name: "outbox 2 lanes", sql: "ALTER TABLE outbox_item ADD COLUMN lane TEXT"),
    ]

    /// A value that differs after every event that may make an item available, except the passing of time.
    static func pulse(_ connection: Connection) throws -> [SQLValue] {
        try connection.first(
            """
            SELECT count(*), sum(stage), sum(attempts), sum(span), (SELECT seq FROM sqlite_sequence WHERE name = 'outbox_item')
            FROM outbox_item
            """
        ) { try $0.values() } ?? []
    }

    /// The condition for items of some lanes; of any if nil.
    static func isIn(_ lanes: [String]?) -> SQL {
        guard let lanes else { return "TRUE" }
        return "lane IN \(list: lanes)"
    }
}
