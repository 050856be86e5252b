// SPDX-License-Identifier: MIT

import Glibc
import Persistence
import TestKit

/// Rounds of: start one or two victims on one file, kill them at a random instant, look at the file.
struct Soak {
    /// The number of crashes of a file before a new one begins.
    private static let roundsPerFile = 10

    let folder: String
    let rounds: Int
    let seed: UInt64

    func run() async throws {
        var commits = 0
        var unheard = 0
        var acknowledged: [Int: Int] = [:]
        for round in 0..<rounds {
            // Each round has a seed of its own, but a file's rows follow from the seed of the file.
            var generator = SeededGenerator(seed: seed &+ UInt64(round) &* 0x1_0000_0001)
            let file = round / Self.roundsPerFile
            let path = "\(folder)/crash-\(file).sqlite"
            if round % Self.roundsPerFile == 0 { acknowledged = [:] }
            let fileSeed = (seed &+ UInt64(file)) & 0xFFFF_FFFF_FFFF
            let victims = try (1...Int.random(in: 1...2, using: &generator)).map { writer in
                try KillableWriter(path: path, workload: Workload(writer: writer, seed: fileSeed))
            }
            if Int.random(in: 0..<4, using: &generator) > 0 {
                try victims[0].wait(for: Int.random(in: 1...40, using: &generator))
            }
            Self.wait(nanoseconds: Int.random(in: 0..<4_000_000, using: &generator))
            for victim in victims {
                if let last = try victim.kill() { acknowledged[victim.workload.writer] = last }
            }
            let database = try await Database(at: path, configuration: .init(seal: Main.seal))
            // The crash may have preceded the tables.
            try await database.migrate(Workload.migrations)
            let before = acknowledged
            let found = try await database.read { connection in
                var found: [Int: Int] = [:]
                for writer in 1...2 {
                    let workload = Workload(writer: writer, seed: fileSeed)
                    if let problem = try workload.problem(in: connection, acknowledged: before[writer] ?? 0) {
                        throw Failure("round \(round), seed \(seed): \(problem)")
                    }
                    found[writer] = try connection.first(
                        "SELECT last FROM ledger WHERE writer = \(writer)", as: Int.self)
                }
                return found
            }
            let damage = try await database.integrityCheck()
            guard damage.isEmpty else { throw Failure("round \(round), seed \(seed): \(damage)") }
            await database.close()
            unheard += found.count { $0.value != before[$0.key] ?? 0 }
            acknowledged = found
            commits += found.values.reduce(0, +)
        }
        print(
            "crash: \(rounds) rounds, seed \(seed): every acknowledged commit was there, nothing half done;",
            "\(unheard) commits were there that nobody had heard of yet")
    }

    /// Waits for a random part of a transaction, so that the kill can hit any part of it.
    private static func wait(nanoseconds: Int) {
        var time = timespec(tv_sec: 0, tv_nsec: nanoseconds)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil)
    }
}

/// A process that writes until it is killed, and the last commit that it acknowledged.
private final class KillableWriter {
    let workload: Workload
    private let process: ChildProcess
    private var last: String?

    init(path: String, workload: Workload) throws {
        process = try ChildProcess("/proc/self/exe", ["run", path, "\(workload.writer)", "\(workload.seed)"])
        self.workload = workload
    }

    /// Waits until it has said so many commits.
    func wait(for count: Int) throws {
        for _ in 0..<count {
            guard let line = process.line() else { throw Failure("the child ended by itself") }
            last = line
        }
    }

    /// Kills it, and gives the last commit that it acknowledged, if any.
    func kill() throws -> Int? {
        process.kill()
        let last = process.lines().last ?? last
        guard case .signalled(SIGKILL) = process.wait() else {
            throw Failure("the child ended by itself: \(process.wait())")
        }
        return last.flatMap { Int($0) }
    }
}

/// Why a soak run failed.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
