// SPDX-License-Identifier: MIT

import Glibc
import Persistence

/// Writes until it is killed, and prints each commit to standard output once it has returned.
struct Victim {
    let path: String
    let workload: Workload

    func run() async throws -> Never {
        var configuration = Database.Configuration(seal: Main.seal)
        (configuration.readerCount, configuration.checkpointPages) = (2, 50)
        let database = try await again { [configuration] in try await Database(at: path, configuration: configuration) }
        _ = try await again { try await database.migrate(Workload.migrations) }
        var number = try await again { try await workload.begin(on: database) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(database) }
            while true {
                number += 1
                let next = number
                if try await again({ try await workload.run(next, on: database) }) { Main.say("\(next)") }
            }
        }
        exit(0)
    }

    /// Reads beside the writes, and dies loudly if it ever sees a part of a transaction.
    private func read(_ database: Database) async throws {
        while true {
            try await database.read { connection in
                let last = try connection.first(
                    "SELECT last FROM ledger WHERE writer = \(workload.writer)", as: Int.self)
                let problem = try workload.problem(in: connection, acknowledged: last ?? 0)
                if let problem {
                    Main.complain("crash: a snapshot is not whole: \(problem)\n")
                    exit(1)
                }
            }
        }
    }

    /// Repeats a busy call, five minutes at most: a process that commits holds the write lock while the disk syncs, and
    /// a disk that has much else to do was seen to take a minute.
    private func again<Value>(_ body: () async throws -> Value) async throws -> Value {
        for _ in 1..<60 {
            do { return try await body() } catch let error as DatabaseError where error.code == .busy {}
        }
        return try await body()
    }
}

/// Keeps a database open: prints `open`, then commits the number of each line of standard input and prints it, until
/// the input ends.
struct Holder {
    let path: String

    func run() async throws {
        let database = try await Database(at: path)
        Main.say("open")
        while let number = readLine().flatMap({ Int($0) }) {
            try await database.write { try $0.execute("INSERT INTO item (id) VALUES (\(number))") }
            Main.say("\(number)")
        }
        await database.close()
    }
}
