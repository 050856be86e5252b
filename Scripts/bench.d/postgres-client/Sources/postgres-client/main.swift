// SPDX-License-Identifier: MIT

import Foundation
import Postgres

// usage: postgres-client URL MEASUREMENT COUNT; prints statements a second. postgres-c and the Python client take the same.
let arguments = CommandLine.arguments
let (url, measurement, count) = (arguments[1], arguments[2], Int(arguments[3]) ?? 1)
let database = try PostgresDatabase(try PostgresConfiguration(url: url))
let clock = ContinuousClock()

func select(_ connection: PostgresConnection, _ number: Int) async throws {
    let found = try await connection.first("SELECT id, body FROM item WHERE id = \(number % 1_000)") { row in
        (try row["id", as: Int.self], try row["body", as: String.self])
    }
    precondition(found?.0 == number % 1_000)
}

func insert(_ connection: PostgresConnection, _ number: Int) async throws {
    let changed = try await connection.execute(
        "INSERT INTO note (id, body) VALUES (\(number), \("a body of a few words"))")
    precondition(changed == 1)
}

/// Statements one after another in one transaction.
func inOneTransaction(_ body: @Sendable @escaping (PostgresConnection, Int) async throws -> Void) async throws
    -> Duration
{
    try await database.write(isolation: .readCommitted) { connection in
        try await body(connection, 0)
        let start = clock.now
        for number in 1...count { try await body(connection, number) }
        return clock.now - start
    }
}

/// A transaction for each statement, by `tasks` tasks at once.
func inTransactions(_ tasks: Int, _ body: @Sendable @escaping (Int) async throws -> Void) async throws -> Duration {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks { group.addTask { try await body(-1 - task) } }
        try await group.waitForAll()
        let start = clock.now
        for task in 0..<tasks {
            group.addTask { for number in stride(from: task, to: count, by: tasks) { try await body(number) } }
        }
        try await group.waitForAll()
        return clock.now - start
    }
}

let time: Duration =
    switch measurement {
    case "select": try await inOneTransaction(select)
    case "insert": try await inOneTransaction(insert)
    case "select-transaction":
        try await inTransactions(1) { number in try await database.read { try await select($0, abs(number)) } }
    case "insert-transaction":
        try await inTransactions(1) { number in
            try await database.write(isolation: .readCommitted) { try await insert($0, number) }
        }
    case "select-transaction-8":
        try await inTransactions(8) { number in try await database.read { try await select($0, abs(number)) } }
    default:
        try await inTransactions(8) { number in
            try await database.write(isolation: .readCommitted) { try await insert($0, number) }
        }
    }
print(Double(count) / (time / .seconds(1)))
await database.close()
