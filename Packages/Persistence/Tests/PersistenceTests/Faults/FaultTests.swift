// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit
import Testing

@testable import Persistence

/// After each fault: every acknowledged transaction is there, every other one whole or not at all, and the file is sound.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    private static let rowsOfOne = 3

    private func configuration(_ vfs: FaultVFS? = nil) -> Database.Configuration {
        var configuration = Database.Configuration(busyTimeout: .zero).with {
            $0.readerCount = 1
            $0.checkpointPages = 8
        }
        configuration.vfs = vfs?.name
        return configuration
    }

    private func create(_ folder: TemporaryFolder) async throws {
        let database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute(
                "CREATE TABLE item (number INTEGER, part INTEGER, bytes BLOB, PRIMARY KEY (number, part)) STRICT")
        }
        await database.close()
    }

    /// Some transactions, each as durable as its number says. Returns those that returned.
    private func work(_ path: String, _ vfs: FaultVFS, seed: UInt64) async throws -> [Int] {
        var generator = SeededGenerator(seed: seed)
        var acknowledged: [Int] = []
        guard let database = try? await Database(at: path, configuration: configuration(vfs)) else { return [] }
        for number in 1...12 {
            let size = Int.random(in: 1...6_000, using: &generator)
            do {
                try await database.write(durability: Self.durability(number)) { connection in
                    for part in 0..<Self.rowsOfOne {
                        let bytes = [UInt8](repeating: UInt8(number), count: size + part)
                        try connection.execute("INSERT INTO item VALUES (\(number), \(part), \(bytes))")
                    }
                }
                acknowledged.append(number)
                _ = try await database.read { try $0.first("SELECT sum(length(bytes)) FROM item", as: Int.self) }
            } catch let error as DatabaseError {
                #expect(
                    [
                        .inputOutput, .diskFull, .notFound, .readOnly, .busy, .other, .damaged, .transactionEnded,
                        .closed,
                    ]
                    .contains(error.code), "seed \(seed): \(error)")
            }
        }
        await database.close()
        return acknowledged
    }

    private static func durability(_ number: Int) -> Durability { number % 3 == 0 ? .full : .normal }

    /// What transactions a file holds; fails if it holds a part of one, or is not sound.
    private func transactions(_ path: String, _ hint: Comment) async throws -> [Int] {
        let database = try await Database(at: path)
        let counts = try await database.read { connection in
            try connection.query(
                "SELECT number, count(*) AS rows, count(DISTINCT length(bytes)) AS lengths FROM item GROUP BY number"
            ) {
                [try $0["number", as: Int.self], try $0["rows"], try $0["lengths"]]
            }
        }
        #expect(counts.allSatisfy { $0[1] == Self.rowsOfOne && $0[2] == Self.rowsOfOne }, hint)
        let problems = try await database.integrityCheck()
        #expect(problems.isEmpty, hint)
        await database.close()
        return counts.map { $0[0] }
    }

    @Test(arguments: [FaultPlan.Fault.error, .shortWrite, .full], [false, true])
    func aFailingDiskLosesNothingAcknowledged(fault: FaultPlan.Fault, isLasting: Bool) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var operation = 1
        var failures = 0
        while true {
            let folder = try TemporaryFolder()
            try await create(folder)
            let vfs = FaultVFS()
            vfs.plan.withLock { $0.arm(fault, after: operation, isLasting: isLasting) }
            let acknowledged = try await work(folder.database, vfs, seed: seed)
            // Every operation of the workload has had its turn.
            guard vfs.plan.withLock({ $0.hasFailed }) else { break }
            failures += 1
            let hint: Comment = "seed \(seed), operation \(operation)"
            let found = try await transactions(folder.database, hint)
            #expect(Set(found).isSuperset(of: acknowledged), hint)
            operation += Int.random(in: 1...6, using: &generator)
        }
        #expect(failures > 5, "seed \(seed)")
    }

    @Test(arguments: 0..<40)
    func aPowerCutLosesNothingThatWasFull(round: UInt64) async throws {
        let seed = round &* 1_000_003 &+ UInt64.random(in: 0..<1_000_000)
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        try await create(folder)
        let vfs = FaultVFS()
        vfs.plan.withLock { $0.arm(.powerCut, after: Int.random(in: 1...350, using: &generator), isLasting: true) }
        let acknowledged = try await work(folder.database, vfs, seed: seed)
        let disk = try TemporaryFolder()
        var images = vfs.plan.withLock { $0.images }
        // The cut may have come before the file was opened.
        if images[folder.database] == nil {
            images[folder.database] = FaultPlan.Image(durable: try folder.bytes("test.sqlite"))
        }
        for (path, image) in images.sorted(by: { $0.key < $1.key }) {
            let name = String(path.split(separator: "/").last ?? "")
            try disk.write(image.afterPowerCut(using: &generator), to: name)
        }
        let hint: Comment = "seed \(seed)"
        let found = try await transactions(disk.database, hint)
        let lastFull = acknowledged.last { Self.durability($0) == .full } ?? 0
        #expect(Set(found).isSuperset(of: acknowledged.filter { $0 <= lastFull }), hint)
        // What is lost is the newest.
        #expect(found == Array(acknowledged.prefix(found.count)) || found.dropLast() == acknowledged[...], hint)
    }

    @Test func fullSyncsTheLogAtEachCommitAndNormalDoesNot() async throws {
        let folder = try TemporaryFolder()
        let vfs = FaultVFS()
        var configuration = configuration(vfs)
        configuration.checkpointPages = 1_000
        let database = try await Database(at: folder.database, configuration: configuration)
        try await database.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT") }
        for (durability, expected) in [(Durability.full, 1), (.normal, 0), (.full, 1), (.normal, 0), (.full, 1)] {
            for _ in 0..<3 {
                let before = vfs.plan.withLock { $0.syncs["-wal"] ?? 0 }
                try await database.write(durability: durability) { try $0.execute("INSERT INTO item DEFAULT VALUES") }
                let after = vfs.plan.withLock { $0.syncs["-wal"] ?? 0 }
                #expect(after - before == expected, "\(durability)")
            }
        }
        await database.close()
    }
}
