// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

/// The stores over SQLite keep every promise of their contracts, each in a file of its own.
@Suite struct LocalContractTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func database() async throws -> PracticeDatabase {
        try await PracticeDatabase(path: folder.file("practice"))
    }

    @Test(arguments: ConversationRepositoryContract.checks, [true, false])
    func conversations(_ check: ContractCheck<any ConversationRepository>, isInMemory: Bool) async throws {
        try await check.run(
            isInMemory
                ? try await SQLiteConversationRepository()
                : try await SQLiteConversationRepository(path: folder.file("conversations"), damage: .refuse))
    }

    @Test(arguments: TurnStatisticsContract.checks, [true, false])
    func statistics(_ check: ContractCheck<TurnStatisticsSubject>, isInMemory: Bool) async throws {
        let open = { @Sendable [folder] in
            try await SQLiteConversationRepository(path: folder.file("conversations"), damage: .refuse)
        }
        let store = isInMemory ? try await SQLiteConversationRepository() : try await open()
        try await check.run(
            TurnStatisticsSubject(
                store, again: { isInMemory ? store : try await open() },
                failing: [
                    "storage": { [folder] in
                        let closed = try await SQLiteConversationRepository(
                            path: folder.file("closed"), damage: .refuse)
                        await closed.close()
                        return closed
                    }
                ]))
    }

    @Test(arguments: CueRepositoryContract.checks)
    func cues(_ check: ContractCheck<CueRepositorySubject>) async throws {
        let store = SQLiteCueStore(try await database())
        try await check.run(
            CueRepositorySubject(
                repository: store, add: { try await store.add($0) }, remove: { try await store.remove([$0]) }))
    }

    @Test(arguments: CueStoreContract.checks)
    func cueStores(_ check: ContractCheck<any CueStore>) async throws {
        try await check.run(SQLiteCueStore(try await database()))
    }

    @Test(arguments: PracticeRepositoryContract.checks, [nil, "account"])
    func results(_ check: ContractCheck<any PracticeRepository>, _ owner: String?) async throws {
        let database = try await database()
        let queue = owner.map { OutboxSyncQueue(database, account: $0) }
        try await check.run(SQLitePracticeRepository(database, owner: owner, queue: queue))
    }

    @Test(arguments: EvaluationStoreContract.checks)
    func evaluations(_ check: ContractCheck<any EvaluationStore>) async throws {
        try await check.run(SQLiteEvaluationStore(try await database(), owner: "account"))
    }

    @Test(arguments: RuntimeConfigStoreContract.checks)
    func configs(_ check: ContractCheck<any RuntimeConfigStore>) async throws {
        try await check.run(SQLiteRuntimeConfigStore(try await database()))
    }

    @Test func everythingIsThereAgainAfterClosing() async throws {
        let cue = try CueSamples.cue("Bonjour, ça va ?", language: "fr")
        let result = try PracticeSamples.result(evaluation: PracticeSamples.evaluation())
        let first = try await database()
        try await SQLiteCueStore(first).add([cue])
        try await SQLitePracticeRepository(first, owner: nil).store([result])
        let name = try await SQLiteRuntimeConfigStore(first).installation()
        await first.close()
        let second = try await database()
        #expect(try await SQLiteCueStore(second).page(CueQuery(words: "ca"), after: nil).cues == [cue])
        #expect(try await SQLitePracticeRepository(second, owner: nil).result(result.id) == result)
        #expect(try await SQLiteRuntimeConfigStore(second).installation() == name)
        #expect(try await second.findDamage().isEmpty)
    }

    @Test func pagesOfManyShuffledCuesHoldEachOnce() async throws {
        let store = SQLiteCueStore(try await database())
        let cues = try CueSamples.cues(2_000)
        try await store.add(cues)
        let query = CueQuery(order: .shuffled(seed: 20_261_122), limit: 199)
        let expected = cues.map { CueCursor(after: $0, in: query.order) }
            .sorted { ($0.sortKey, $0.id) < ($1.sortKey, $1.id) }.map(\.id)
        var (listed, cursor): ([Identifier<Cue>], CueCursor?) = ([], nil)
        repeat {
            let page = try await store.page(query, after: cursor)
            listed += page.cues.map(\.id)
            cursor = page.next
        } while cursor != nil
        #expect(listed == expected)
    }

    @Test func theOldestRefreshIsForgottenAndNothingElse() async throws {
        let store = SQLiteCueStore(try await database())
        let first = CueQuery(words: "word 0")
        for number in 0...1_000 {
            try await store.takeOver(
                CuePage(cues: []), of: CueQuery(words: "word \(number)"), after: nil,
                at: Date(timeIntervalSince1970: Double(number)))
        }
        #expect(try await store.refreshedAt(first, after: nil) == nil)
        #expect(try await store.refreshedAt(CueQuery(words: "word 1"), after: nil) != nil)
    }
}
