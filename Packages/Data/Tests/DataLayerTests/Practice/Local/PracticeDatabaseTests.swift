// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@Suite struct PracticeDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("practice.sqlite") }

    /// A file with results and cues.
    private func filled() async throws -> [PracticeResult] {
        let database = try await PracticeDatabase(path: path)
        // Names decide where rows of indexes lie; these are the same each time, and so is what the damage hits.
        var generator = SeededGenerator(seed: 7)
        let results = try (0..<199).map { number in
            try PracticeSamples.result(
                at: Double(number), cue: .init(high: generator.next(), low: generator.next()),
                id: .init(high: generator.next(), low: generator.next()))
        }
        try await SQLitePracticeRepository(database, owner: "ada").store(results)
        try await SQLiteCueStore(database).add(
            (0..<50).map { number in
                try CueSamples.cue("Cue number \(number)", id: .init(high: generator.next(), low: generator.next()))
            })
        await database.close()
        return results
    }

    /// A file that does not begin as one of SQLite's.
    private func damage() async throws {
        _ = try await filled()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data("no database any more".utf8))
        try file.close()
    }

    @Test func aDamagedFileIsRefusedUnlessItIsToBeSaved() async throws {
        try await damage()
        let before = try Data(contentsOf: URL(filePath: path))
        let error = await #expect(throws: DomainError.self) { try await PracticeDatabase(path: path) }
        #expect(error?.code == "storage")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func aFileWithoutABeginningIsSetAsideWithAWord() async throws {
        try await damage()
        let told = Reports()
        let database = try await PracticeDatabase(path: path, damage: .salvage { told.add($0) })
        let file = try #require(told.all.first)
        #expect(told.all.count == 1 && file.path == path && file.setAside.hasPrefix(path + ".damaged-"))
        #expect(file.saved.map(\.kind) == [.results, .recordings] && file.saved.allSatisfy { $0.count == 0 })
        #expect(try await database.findDamage().isEmpty)
        await database.close()
        #expect(try await PracticeDatabase.repair(path: path) == nil)
    }

    @Test func `without its list of migrations a file keeps every result`() async throws {
        let results = try await filled()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try file.close()
        let database = try await PracticeDatabase(path: path, damage: .salvage { _ in })
        let page = try await SQLitePracticeRepository(database, owner: "ada").page(
            PracticeQuery(limit: 200), after: nil)
        #expect(Set(page.results) == Set(results))
        await database.close()
        #expect(try await PracticeDatabase.repair(path: path) == nil)
    }

    @Test func whatCanBeReadOfADamagedFileIsSaved() async throws {
        let results = try await filled()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let size = try file.seekToEnd()
        for tenth in 6...8 {
            try file.seek(toOffset: size / 4_096 * UInt64(tenth) / 10 * 4_096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        }
        try file.close()
        let salvaged = try #require(try await PracticeDatabase.repair(path: path))
        #expect(salvaged.setAside.contains(".damaged-"), "\(salvaged)")
        let database = try await PracticeDatabase(path: path)
        let page = try await SQLitePracticeRepository(database, owner: "ada").page(
            PracticeQuery(limit: 200), after: nil)
        #expect(!page.results.isEmpty && Set(page.results).isSubset(of: results), "\(salvaged)")
        // What is saved of the cues is found by its words, and more can be added.
        let cues = SQLiteCueStore(database)
        #expect(try await cues.page(CueQuery(words: "number", limit: 200), after: nil).cues.count == cues.count())
        try await cues.add([CueSamples.cue("New words")])
        #expect(try await cues.page(CueQuery(words: "new"), after: nil).cues.count == 1)
        await database.close()
        #expect(try await PracticeDatabase.repair(path: path) == nil, "it is sound now")
    }
}

private final class Reports: Sendable {
    private let reports = Guarded<[SalvagedFile]>([])

    var all: [SalvagedFile] { reports.withLock { $0 } }
    func add(_ report: SalvagedFile) { reports.withLock { $0.append(report) } }
}
