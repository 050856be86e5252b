// SPDX-License-Identifier: MIT

import CRawSQLite
import Persistence

/// The work on Packages/Persistence.
struct Ours {
    let path: String

    static let tables = Migration(
        name: "items",
        sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL NOT NULL) STRICT")

    func open() async throws -> Database {
        let database = try await Database(at: path)
        try await database.migrate([Self.tables])
        // Readers open at their first use; what the others open is open before they measure.
        _ = try await database.read { try $0.first("SELECT 1 FROM item LIMIT 0", as: Int.self) }
        return database
    }

    func insert(_ items: [Item]) async throws -> Duration {
        let database = try await open()
        return try await measured {
            try await database.write { connection in
                for item in items {
                    try connection.execute(
                        "INSERT INTO item (id, name, amount) VALUES (\(item.id), \(item.name), \(item.amount))")
                }
            }
        }
    }

    /// One transaction after another, each awaited by a task.
    func awaited(_ items: [Item], _ durability: Durability) async throws -> Duration {
        let database = try await open()
        return try await measured {
            for item in items {
                try await database.write(durability: durability) { connection in
                    try connection.execute(
                        "INSERT INTO item (id, name, amount) VALUES (\(item.id), \(item.name), \(item.amount))")
                }
            }
        }
    }

    func read(_ count: Int) async throws -> Duration {
        let database = try await open()
        // Freeing what was read is not measured, as it is not for the others.
        var found: [Item] = []
        let duration = try await measured {
            found = try await database.read { connection in
                try connection.query("SELECT id, name, amount FROM item ORDER BY id") { row in
                    Item(id: try row["id"], name: try row["name"], amount: try row["amount"])
                }
            }
        }
        precondition(found.count == count)
        return duration
    }

    func lookUp(_ keys: [Int64]) async throws -> Duration {
        let database = try await open()
        return try await measured {
            try await database.read { connection in
                for key in keys {
                    let item = try connection.first("SELECT id, name, amount FROM item WHERE id = \(key)") { row in
                        Item(id: try row["id"], name: try row["name"], amount: try row["amount"])
                    }
                    precondition(item?.id == key)
                }
            }
        }
    }
}

/// How long a piece of work takes, on the clock that the C side uses.
private func measured(_ work: () async throws -> Void) async rethrows -> Duration {
    let start = raw_now()
    try await work()
    return .nanoseconds(raw_now() - start)
}
