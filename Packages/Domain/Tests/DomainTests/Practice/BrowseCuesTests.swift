// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@Suite struct BrowseCuesTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func pages(
        _ store: any CueStore, _ server: (any CueRepository)?, _ query: CueQuery = CueQuery(),
        after cursor: CueCursor? = nil
    ) async throws -> [CuePage] {
        var pages: [CuePage] = []
        for try await page in BrowseCues(store: store, server: server, now: { now })(query, after: cursor) {
            pages.append(page)
        }
        return pages
    }

    @Test func withoutAServerWhatIsStoredIsAll() async throws {
        let cues = try CueSamples.cues(3)
        let pages = try await pages(InMemoryCueStore(cues), nil)
        #expect(pages == [CuePage(cues: CuePage(of: CueQuery(), after: nil, among: cues) { _ in true }.cues)])
    }

    @Test func theStoredPageComesFirstThenTheServers() async throws {
        let cues = try CueSamples.cues(3)
        let store = InMemoryCueStore([cues[0]])
        let first = try await pages(store, InMemoryCueStore(cues))
        #expect(first.map(\.freshness) == [.stored(nil), .current])
        #expect(first.map(\.cues.count) == [1, 3])
        let second = try await pages(store, InMemoryCueStore(cues))
        #expect(second.map(\.freshness) == [.stored(now), .current])
        #expect(second[0].cues == second[1].cues)
    }

    @Test func anUnreachableServerLeavesTheStoredPageAndSaysSo() async throws {
        let cues = try CueSamples.cues(2)
        let error = DomainError.offline("No route.")
        let pages = try await pages(InMemoryCueStore(cues), FailingCues(error: error))
        #expect(pages.map(\.freshness) == [.stored(nil), .old(nil, error)])
        #expect(pages[0].cues == pages[1].cues)
    }

    @Test func whatTheServerNoLongerListsGoesFromThisStretchOnly() async throws {
        let cues = try CuePage(of: CueQuery(), after: nil, among: CueSamples.cues(9)) { _ in true }.cues
        let store = InMemoryCueStore(cues)
        let server = InMemoryCueStore(cues.enumerated().filter { ![1, 8].contains($0.offset) }.map(\.element))
        _ = try await pages(store, server, CueQuery(limit: 4))
        #expect(
            try await store.page(CueQuery(), after: nil).cues
                == cues.enumerated().filter { $0.offset != 1 }.map(\.element))
        _ = try await pages(store, server, CueQuery(limit: 4), after: CueCursor(after: cues[4], in: .catalogue))
        #expect(await store.cue(cues[8].id) == nil, "the last page reaches to the end")
    }

    @Test func cancellingIsNoErrorOfTheServer() async throws {
        let task = Task {
            cancelCurrentTask()
            return try await pages(InMemoryCueStore(), InMemoryCueStore())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

private struct FailingCues: CueRepository {
    let error: DomainError
    func page(_ query: CueQuery, after cursor: CueCursor?) throws -> CuePage { throw error }
    func cue(_ id: Identifier<Cue>) throws -> Cue? { throw error }
}
