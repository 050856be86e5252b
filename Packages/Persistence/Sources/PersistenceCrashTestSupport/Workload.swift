// SPDX-License-Identifier: MIT

import Persistence
import TestKit

/// Transactions whose content is derived from a seed, so that the file's content can be checked with the seed alone.
///
/// Each writer has a number; several may write one file. Transaction `n` adds rows, removes the rows of an earlier one,
/// and writes itself into the ledger. Some are undone.
struct Workload {
    /// The number of transactions that keep their rows.
    static let window = 40

    static let migrations = [
        Migration(
            name: "crash workload",
            sql: """
                CREATE TABLE ledger (writer INTEGER PRIMARY KEY, seed INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
                CREATE TABLE entry (
                    writer INTEGER NOT NULL REFERENCES ledger(writer), number INTEGER NOT NULL, part INTEGER NOT NULL,
                    body BLOB NOT NULL, PRIMARY KEY (writer, number, part)
                ) STRICT;
                CREATE INDEX entry_size ON entry (length(body));
                """)
    ]

    private struct Undone: Error {}

    let writer: Int
    let seed: UInt64

    /// The rows of a transaction.
    func bodies(_ number: Int) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed ^ UInt64(writer) << 48 ^ UInt64(number))
        return (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            let size = Int.random(in: 0...10, using: &generator) == 0 ? 9_000 : 300
            return [UInt8](repeating: byte, count: Int.random(in: 1...size, using: &generator))
        }
    }

    /// True if a transaction is thrown out of before its commit.
    func isUndone(_ number: Int) -> Bool { number % 7 == 3 }

    /// The next transaction after `number` that commits.
    func next(after number: Int) -> Int { isUndone(number + 1) ? number + 2 : number + 1 }

    /// Runs transaction `number`; false if it was one that is undone.
    func run(_ number: Int, on database: Database) async throws -> Bool {
        do {
            try await database.write(durability: number % 3 == 0 ? .full : .normal) { connection in
                for (part, body) in bodies(number).enumerated() {
                    try connection.execute("INSERT INTO entry VALUES (\(writer), \(number), \(part), \(body))")
                }
                try connection.execute(
                    "DELETE FROM entry WHERE writer = \(writer) AND number <= \(number - Self.window)")
                try connection.execute("UPDATE ledger SET last = \(number) WHERE writer = \(writer)")
                if isUndone(number) { throw Undone() }
            }
            return true
        } catch is Undone {
            return false
        }
    }

    /// Enters the writer into the ledger, and returns its last transaction.
    func begin(on database: Database) async throws -> Int {
        try await database.write { connection in
            try connection.execute("INSERT OR IGNORE INTO ledger VALUES (\(writer), \(Int64(seed)), 0)")
            return try connection.first("SELECT last FROM ledger WHERE writer = \(writer)", as: Int.self) ?? 0
        }
    }

    /// The fault of the writer's rows; nil if they are exactly those of a transaction from `acknowledged` to the one
    /// after it, which may have been committed when its process died.
    func problem(in connection: Connection, acknowledged: Int) throws -> String? {
        guard let last = try connection.first("SELECT last FROM ledger WHERE writer = \(writer)", as: Int.self)
        else { return acknowledged == 0 ? nil : "writer \(writer) is not in the ledger" }
        guard last == acknowledged || last == next(after: acknowledged) else {
            return "writer \(writer) has transaction \(last), but \(acknowledged) was acknowledged"
        }
        var expected: [[Int]] = []
        for number in max(1, last - Self.window + 1)..<last + 1 where !isUndone(number) {
            for (part, body) in bodies(number).enumerated() {
                expected.append([number, part, body.count, Int(body[0])])
            }
        }
        let found = try connection.query(
            "SELECT number, part, body FROM entry WHERE writer = \(writer) ORDER BY number, part"
        ) { row in
            let body = try row["body", as: [UInt8].self]
            let isEven = body.allSatisfy { $0 == body[0] }
            return [try row["number"], try row["part"], isEven ? body.count : -1, Int(body[0])]
        }
        return found == expected ? nil : "writer \(writer): the rows are not those of transaction \(last)"
    }
}
