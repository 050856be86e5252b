// SPDX-License-Identifier: MIT

import GRDB

// Runs one round of one measurement in a new file and prints its milliseconds. The fastest documented way of each.
// usage: grdb-client MEASUREMENT FILE

extension Item: FetchableRecord {
    init(row: Row) {
        self.init(id: row[0], name: row[1], amount: row[2])
    }
}

let insertion = "INSERT INTO item (id, name, amount) VALUES (?, ?, ?)"
let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: grdb-client MEASUREMENT FILE") }
let measurement = arguments[1]
let items = Item.some(100_000)
let few = Array(items.prefix(measurement.hasSuffix("-full") ? 1_000 : 10_000))
var found: [Item] = []
let keys = Item.keys(20_000, of: items.count)

func open() throws -> DatabasePool {
    let pool = try DatabasePool(path: arguments[2])
    // GRDB sets NORMAL itself when it opens a pool.
    let isNormal = measurement.hasSuffix("normal")
    try pool.writeWithoutTransaction { database in
        try database.execute(sql: isNormal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
    }
    try pool.read { try $0.execute(sql: "SELECT 1") }
    return pool
}

func insert(_ pool: DatabasePool) async throws {
    try await pool.write { database in
        let statement = try database.makeStatement(sql: insertion)
        for item in items { try statement.execute(arguments: [item.id, item.name, item.amount]) }
    }
}

func transactions(_ pool: DatabasePool) async throws {
    try await pool.writeWithoutTransaction { database in
        let statement = try database.makeStatement(sql: insertion)
        for item in few {
            try database.inTransaction(.immediate) {
                try statement.execute(arguments: [item.id, item.name, item.amount])
                return .commit
            }
        }
    }
}

func awaited(_ pool: DatabasePool) async throws {
    for item in few {
        try await pool.write { database in
            try database.cachedStatement(sql: insertion).execute(arguments: [item.id, item.name, item.amount])
        }
    }
}

func read(_ pool: DatabasePool) async throws -> [Item] {
    try await pool.read { try Item.fetchAll($0, sql: "SELECT id, name, amount FROM item ORDER BY id") }
}

func lookUp(_ pool: DatabasePool) async throws {
    try await pool.read { database in
        let statement = try database.makeStatement(sql: "SELECT id, name, amount FROM item WHERE id = ?")
        for key in keys {
            let item = try Item.fetchOne(statement, arguments: [key])
            precondition(item?.id == key)
        }
    }
}

do {
    let pool = try open()
    try pool.write { database in
        try database.execute(
            sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL NOT NULL) STRICT")
    }
    if ["read", "look-up"].contains(measurement) { try await insert(pool) }
    try pool.close()
}
let pool = try open()
let clock = ContinuousClock()
let duration: Duration
switch measurement {
case "insert": duration = try await clock.measure { try await insert(pool) }
case "transactions-full", "transactions-normal": duration = try await clock.measure { try await transactions(pool) }
case "awaited-full", "awaited-normal": duration = try await clock.measure { try await awaited(pool) }
case "read": duration = try await clock.measure { found = try await read(pool) }
case "look-up": duration = try await clock.measure { try await lookUp(pool) }
default: fatalError("there is no measurement \(measurement)")
}
precondition(measurement != "read" || found.count == items.count)
print(duration / .milliseconds(1))
