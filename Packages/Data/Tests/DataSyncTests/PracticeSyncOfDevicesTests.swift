// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import FoundationEssentials
import Persistence
import Sync
import Testing

@testable import DataSync

/// The results of practice of two homes.
struct PracticeSyncOfDevicesTests {
    @Test func `results are on both devices with their evaluations`() async throws {
        let (first, second) = try await Home.pair()
        let results = [
            try PracticeSamples.result(
                at: 1_700_000_000, evaluation: PracticeSamples.evaluation(), recording: Identifier<Recording>()),
            try PracticeSamples.result(at: 1_700_000_100),
        ]
        try await first.results().store([results[0]])
        try await second.results().store([results[1]])
        try await Home.settle(first, second)
        for home in [first, second] {
            for result in results { #expect(try await home.results().result(result.id) == result) }
            #expect(try await home.data.pending().count == 0)
        }
    }

    @Test func `a deleted result is deleted everywhere and does not return`() async throws {
        let (first, second) = try await Home.pair()
        let result = try PracticeSamples.result(at: 1_700_000_000)
        try await first.results().store([result])
        try await Home.settle(first, second)
        #expect(try await second.results().delete(result.id))
        try await Home.settle(second, first)
        #expect(try await first.results().result(result.id) == nil)
        try await first.results().store([result])
        #expect(try await first.results().result(result.id) == nil)
    }

    @Test func `a result that an account has from its server is there once`() async throws {
        let (first, second) = try await Home.pair()
        let result = try PracticeSamples.result(at: 1_700_000_000)
        try await first.results().store([result])
        // The server brought it before the other device did.
        try await second.results(of: "ada").store([result])
        try await Home.settle(first, second)
        #expect(try await second.results().result(result.id) == nil)
        #expect(try await second.results(of: "ada").result(result.id) == result)
    }

    @Test func `a result that goes to an account stays on the other devices`() async throws {
        let (first, second) = try await Home.pair()
        let result = try PracticeSamples.result(at: 1_700_000_000)
        try await first.results().store([result])
        try await Home.settle(first, second)
        #expect(try await second.practice.adopt(by: "ada", queue: nil).results == 1)
        try await Home.settle(first, second)
        #expect(try await second.data.pending().count == 0)
        #expect(try await first.results().result(result.id) == result)
        #expect(try await second.results().result(result.id) == nil)
    }

    @Test func `a result that cannot be read is passed over`() async throws {
        let (first, second) = try await Home.pair()
        let key = SyncRecordKey(kind: SyncKind.result, id: Array(1...16))
        try await first.device.write([SyncChange(key, [SyncField(1, .first): Array("{}".utf8)])], now: 1)
        let result = try PracticeSamples.result(at: 1_700_000_000)
        try await first.results().store([result])
        try await Home.settle(first, second)
        #expect(try await second.results().result(result.id) == result)
    }
}

extension Home {
    fileprivate func results(of owner: String? = nil) -> SQLitePracticeRepository {
        SQLitePracticeRepository(practice, owner: owner)
    }
}
