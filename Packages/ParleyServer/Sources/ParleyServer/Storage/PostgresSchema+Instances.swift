// SPDX-License-Identifier: MIT

import Postgres

extension PostgresSchema {
    /// The tables by which the instances of a server agree: maintenance that one of them does, calls that all of them
    /// count, and keys that all of them know.
    static let instances: StaticString = """
        CREATE TABLE chore (
            name TEXT COLLATE "C" PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL, done_at BIGINT NOT NULL
        );
        CREATE TABLE call_rate (
            account TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, empty_at BIGINT NOT NULL,
            PRIMARY KEY (account, kind)
        );
        CREATE INDEX call_rate_by_time ON call_rate (empty_at);
        CREATE TABLE server_key (name TEXT COLLATE "C" PRIMARY KEY, sealed BYTEA NOT NULL);
        """
}

extension PostgresServerDatabase: HintedDatabase {
    private static let channel = "parley_changes"

    /// A pooler of transactions, for which the URL says `prepared_statements=0`, gives no connection that listens.
    var carriesHints: Bool { database.configuration.preparedStatements > 0 }

    func hint(_ text: String) async throws { try await database.notify(channel: Self.channel, payload: text) }

    func forEachHint(_ body: @Sendable (String?) -> Void) async throws {
        for try await notification in database.notifications(channel: Self.channel) {
            if notification.mayHaveMissed { body(nil) }
            if !notification.payload.isEmpty { body(notification.payload) }
        }
    }
}
