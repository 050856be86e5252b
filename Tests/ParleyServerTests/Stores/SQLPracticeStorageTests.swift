// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import DomainTestSupport
import Foundation
import Persistence
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

/// The catalogue and the results of both kinds of servers keep the same promises.
@Suite(.timeLimit(.minutes(5))) struct SQLPracticeStorageTests {
    enum Kind: CaseIterable, Sendable {
        case home
        case postgres

        func make() async throws -> any PracticeStorage {
            switch self {
            case .home: SQLitePracticeStorage(database: try await PracticeDatabase())
            case .postgres:
                SQLPracticeStorage(
                    database: try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled))
            }
        }
    }

    private let quota = PracticeQuota(results: 1_000, bytes: 1 << 20, deletions: 3)

    @Test(arguments: CueRepositoryContract.checks, Kind.allCases)
    func `cues keep the contract`(_ check: ContractCheck<CueRepositorySubject>, _ kind: Kind) async throws {
        let cues = try await kind.make().cues
        try await check.run(
            CueRepositorySubject(
                repository: cues, add: { try await cues.add($0) }, remove: { try await cues.remove([$0]) }))
    }

    @Test(arguments: PracticeRepositoryContract.checks, Kind.allCases)
    func `results keep the contract`(_ check: ContractCheck<any PracticeRepository>, _ kind: Kind) async throws {
        try await check.run(kind.make().results(of: "ada", PracticeQuota()))
    }

    @Test(arguments: Kind.allCases) func `changes come in order and restart`(_ kind: Kind) async throws {
        let storage = try await kind.make()
        let results = storage.results(of: "ada", quota)
        let items = try (0..<6).map { _ in try PracticeSamples.result() }
        #expect(try await results.insertReturningNew(items + [items[0]]) == Set(items.map(\.id)))
        #expect(try await results.insertReturningNew([items[1]]).isEmpty)
        let first = try await results.changes(after: 0, limit: 4)
        #expect(first.results == Array(items[0..<4]) && first.hasMore)
        let second = try await results.changes(after: first.next, limit: 4)
        #expect(second.results == Array(items[4...]) && !second.hasMore)
        #expect(try await results.delete(items[0].id))
        #expect(try await !results.delete(items[0].id))
        let third = try await results.changes(after: second.next, limit: 4)
        #expect(third.deleted == [items[0].id] && third.results.isEmpty && third.next > second.next)
        #expect(try await results.insertReturningNew([items[0]]).isEmpty, "a deleted result stays deleted")
        let anew = try await results.changes(after: third.next + 1, limit: 200)
        #expect(anew.results == Array(items[1...]) && anew.deleted == [items[0].id], "a cursor of another database")
        #expect(try await storage.results(of: "bob", quota).changes(after: 0, limit: 4).results.isEmpty)
        await storage.close()
    }

    @Test(arguments: Kind.allCases) func `quotas are exact and tombstones few`(_ kind: Kind) async throws {
        let storage = try await kind.make()
        let small = storage.results(of: "ada", PracticeQuota(results: 4, bytes: 1 << 20, deletions: 2))
        let items = try (0..<5).map { _ in try PracticeSamples.result() }
        await #expect(throws: DomainError.self) { _ = try await small.insertReturningNew(items) }
        #expect(try await small.page(PracticeQuery(), after: nil).results.isEmpty, "all or none")
        #expect(try await small.insertReturningNew(Array(items[..<4])).count == 4)
        await #expect(throws: DomainError.self) { _ = try await small.insertReturningNew([items[4]]) }
        for item in items[..<4] { #expect(try await small.delete(item.id)) }
        #expect(try await small.changes(after: 0, limit: 9).deleted == [items[2].id, items[3].id])
        #expect(try await small.insertReturningNew([items[4]]).count == 1)
        let bytes = storage.results(of: "bob", PracticeQuota(results: 4, bytes: 300, deletions: 2))
        #expect(try await bytes.insertReturningNew([items[0]]).count == 1)
        await #expect(throws: DomainError.self) { _ = try await bytes.insertReturningNew([items[1]]) }
        await storage.close()
    }

    @Test(arguments: Kind.allCases) func `a deletion leaves what came after it`(_ kind: Kind) async throws {
        let storage = try await kind.make()
        let results = storage.results(of: "ada", quota)
        let items = try (0..<4).map { try PracticeSamples.result(at: 1_700_000_000 + Double($0)) }
        for item in items[..<3] { _ = try await results.insertReturningNew([item]) }
        #expect(try await results.delete(items[0].id))
        let extent = try await storage.extent(of: "ada")
        #expect(extent.results == 2)
        let early = try await storage.extent(
            of: "ada", practisedBefore: Date(timeIntervalSince1970: 1_700_000_001.5))
        #expect(early.results == 1 && early.lastChange < extent.lastChange)
        _ = try await results.insertReturningNew([items[3]])
        try await storage.deleteResults(of: "ada", through: extent.lastChange)
        #expect(try await results.page(PracticeQuery(), after: nil).results == [items[3]])
        #expect(try await storage.extent(of: "ada").results == 1)
        try await storage.erase("ada")
        #expect(try await storage.extent(of: "ada").results == 0)
        #expect(try await results.insertReturningNew([items[0]]).count == 1, "the count begins anew")
        await storage.close()
    }

    /// A number that another transaction has taken and not yet shown must not be passed over.
    @Test(arguments: Kind.allCases) func `a reader beside writers misses no change`(_ kind: Kind) async throws {
        let storage = try await kind.make()
        let results = storage.results(of: "ada", PracticeQuota())
        let items = try (0..<40).map { _ in try PracticeSamples.result() }
        let seen = try await withThrowingTaskGroup(of: Void.self) { group in
            for item in items { group.addTask { _ = try await results.insertReturningNew([item]) } }
            var (seen, cursor): ([Identifier<PracticeResult>], Int64) = ([], 0)
            while seen.count < items.count {
                let changes = try await results.changes(after: cursor, limit: 7)
                seen += changes.results.map(\.id)
                cursor = changes.next
                if changes.results.isEmpty { try await group.next() }
            }
            try await group.waitForAll()
            return seen
        }
        #expect(Set(seen) == Set(items.map(\.id)) && seen.count == items.count)
        await storage.close()
    }
}
