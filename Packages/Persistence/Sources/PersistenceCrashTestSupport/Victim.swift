// SPDX-License-Identifier: MIT

import Glibc
import Persistence

/// Writes until it is killed, and says each commit on standard output once it has returned.
struct Victim {
    let path: String
    let workload: Workload

    func run() async throws -> Never {
        // SQLite's lock is not fair: where the machine has little time for both victims, one can get it for long.
        let configuration = Database.Configuration(
            busyTimeout: .seconds(120), readerCount: 2, checkpointPages: 50)
        let database = try await Database(at: path, configuration: configuration)
        try await database.migrate(Workload.migrations)
        var number = try await workload.begin(on: database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(database) }
            while true {
                number += 1
                if try await workload.run(number, on: database) { acknowledge(number) }
            }
        }
        exit(0)
    }

    /// Reads beside the writes, and dies loudly if it ever sees a part of a transaction.
    private func read(_ database: Database) async throws {
        while true {
            try await database.read { connection in
                let last = try connection.first("SELECT last FROM ledger WHERE writer = \(workload.writer)") {
                    try $0.int(0)
                }
                let problem = try workload.problem(in: connection, acknowledged: last ?? 0)
                if let problem {
                    Main.complain("crash: a snapshot is not whole: \(problem)\n")
                    exit(1)
                }
            }
        }
    }

    private func acknowledge(_ number: Int) {
        let line = Array("\(number)\n".utf8)
        guard write(1, line, line.count) == line.count else { exit(4) }
    }
}
