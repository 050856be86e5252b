// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct PracticeDatabaseTests {
    private let folder = TestFolder()

    private var path: String { folder.file("practice.sqlite") }

    /// A file with results and cues, and with bytes of another kind in its middle.
    private func damage() async throws -> [PracticeResult] {
        let database = try await PracticeDatabase(path: path)
        let results = try (0..<300).map { try PracticeSamples.result(at: Double($0)) }
        try await SQLitePracticeRepository(database, owner: "ada").store(results)
        try await SQLiteCueStore(database).add(try CueSamples.cues(50))
        await database.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data("no database any more".utf8))
        try file.close()
        return results
    }

    @Test func aDamagedFileIsRefusedUnlessItIsToBeSaved() async throws {
        _ = try await damage()
        let before = try Data(contentsOf: URL(filePath: path))
        let error = await #expect(throws: DomainError.self) { try await PracticeDatabase(path: path) }
        #expect(error?.code == "storage")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func whatCanBeReadOfADamagedFileIsSaved() async throws {
        let results = try await damage()
        let told = Reports()
        let database = try await PracticeDatabase(path: path, damage: .salvage { told.add($0) })
        let page = try await SQLitePracticeRepository(database, owner: "ada").page(
            PracticeQuery(limit: 200), after: nil)
        #expect(Set(page.results.map(\.id)).isSubset(of: results.map(\.id)))
        let text = try #require(told.all.first)
        #expect(text.contains(path) && told.all.count == 1)
        // What is saved can be searched and added to.
        let cues = SQLiteCueStore(database)
        let found = try await cues.page(CueQuery(words: "number", limit: 200), after: nil).cues.count
        #expect(try await cues.count() == found)
        try await cues.add([CueSamples.cue("New words")])
        #expect(try await cues.page(CueQuery(words: "new"), after: nil).cues.count == 1)
        #expect(try await database.findDamage().isEmpty)
    }

    @Test func twoProgramsMayOpenANewFileAtOnce() async throws {
        try await withThrowingTaskGroup(of: String.self) { [path] group in
            for _ in 0..<4 {
                group.addTask {
                    try await SQLiteRuntimeConfigStore(try await PracticeDatabase(path: path)).installation()
                }
            }
            var names: Set<String> = []
            for try await name in group { names.insert(name) }
            #expect(names.count == 1)
        }
    }
}

private final class Reports: Sendable {
    private let reports = Guarded<[String]>([])

    var all: [String] { reports.withLock { $0 } }
    func add(_ report: String) { reports.withLock { $0.append(report) } }
}
