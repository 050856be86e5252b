// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Testing

/// What is one account's is nobody else's.
@Suite struct OwnerTests {
    private let database: PracticeDatabase

    init() async throws { database = try await PracticeDatabase() }

    private func results(_ owner: String?) -> SQLitePracticeRepository {
        SQLitePracticeRepository(database, owner: owner)
    }

    private func all(_ owner: String?) async throws -> Set<Identifier<PracticeResult>> {
        Set(try await results(owner).page(PracticeQuery(), after: nil).results.map(\.id))
    }

    private static func recording(cue: Identifier<Cue> = .init(), hash: Character = "a", at seconds: Double = 1)
        -> Recording
    {
        Recording(
            cue: cue, createdAt: Date(timeIntervalSince1970: seconds), duration: 1.5, format: .flac, sampleRate: 16_000,
            byteCount: 10, contentHash: String(repeating: hash, count: 64))
    }

    @Test func accountsDoNotSeeEachOther() async throws {
        let (mine, theirs) = (try PracticeSamples.result(), try PracticeSamples.result())
        try await results("a").store([mine])
        try await results("b").store([theirs])
        #expect(try await all("a") == [mine.id])
        #expect(try await all(nil).isEmpty)
        #expect(try await results("a").result(theirs.id) == nil)
        #expect(try await !results("a").delete(theirs.id))
        #expect(try await all("b") == [theirs.id])

        // A name that another account has taken is free here, and tells nothing of the other.
        let same = try PracticeSamples.result(rating: .again, id: theirs.id)
        #expect(try await results("a").insertReturningNew([same]) == [theirs.id])
        #expect(try await results("a").result(theirs.id) == same)
        #expect(try await results("b").result(theirs.id) == theirs)

        let recording = Self.recording()
        #expect(try await SQLiteRecordingIndex(database, owner: "a").insert(recording))
        let other = SQLiteRecordingIndex(database, owner: "b")
        #expect(try await other.recording(recording.id) == nil)
        #expect(try await other.recording(hash: recording.contentHash) == nil)
        #expect(try await !other.delete(recording.id))
        #expect(try await other.recordings(after: nil, limit: 5).isEmpty)
        try await SQLiteEvaluationStore(database, owner: "a").store(PracticeSamples.evaluation(), of: recording.id)
        #expect(try await SQLiteEvaluationStore(database, owner: "b").evaluations(of: recording.id).isEmpty)
    }

    @Test func whatWasNobodysIsTheFirstAccounts() async throws {
        let recording = Self.recording()
        let (with, without) = (try PracticeSamples.result(recording: recording.id), try PracticeSamples.result())
        #expect(try await SQLiteRecordingIndex(database, owner: nil).insert(recording))
        try await results(nil).store([with, without])
        try await SQLiteEvaluationStore(database, owner: nil).store(PracticeSamples.evaluation(), of: recording.id)

        _ = try await SQLiteUploadConsentStore(database).openGate(of: "a")
        let queue = OutboxSyncQueue(database, account: "a")
        let adopted = try await database.adopt(by: "a", queue: queue)
        #expect(adopted == (2, 1))
        #expect(try await all("a") == [with.id, without.id])
        #expect(try await SQLiteRecordingIndex(database, owner: "a").recording(recording.id) == recording)
        #expect(try await SQLiteEvaluationStore(database, owner: "a").evaluations(of: recording.id).count == 1)
        #expect(
            try await queue.items().map(\.work)
                == [.send(.recording, recording.id), .send(.result, with.id), .send(.result, without.id)])

        #expect(try await database.adopt(by: "b", queue: OutboxSyncQueue(database, account: "b")) == (0, 0))
        #expect(try await all("b").isEmpty)
        #expect(try await all(nil).isEmpty)
    }

    @Test func aRowThatTheAccountHasStaysWhenItAdopts() async throws {
        let result = try PracticeSamples.result(rating: .easy)
        try await results("a").store([result])
        try await results(nil).store([try PracticeSamples.result(rating: .again, id: result.id)])
        try await results(nil).store([try PracticeSamples.result()])
        _ = try await SQLiteUploadConsentStore(database).openGate(of: "a")
        let queue = OutboxSyncQueue(database, account: "a")
        let adopted = try await database.adopt(by: "a", queue: queue)
        #expect(adopted == (1, 0), "the row that the account has is not counted")
        #expect(try await queue.items().count == 1)
        #expect(try await results("a").result(result.id) == result)
        #expect(try await all(nil).isEmpty)
    }

    @Test func erasingTakesOneOwnerAlone() async throws {
        let recording = Self.recording()
        for owner in ["a", "b"] { _ = try await SQLiteUploadConsentStore(database).openGate(of: owner) }
        let queues = ["a", "b"].map { OutboxSyncQueue(database, account: $0) }
        for (owner, queue) in zip(["a", "b"], queues) {
            try await SQLitePracticeRepository(database, owner: owner, queue: queue).store([PracticeSamples.result()])
            _ = try await SQLiteRecordingIndex(database, owner: owner).insert(recording)
            try await SQLiteEvaluationStore(database, owner: owner).store(
                PracticeSamples.evaluation(), of: recording.id)
            let config = RuntimeConfig(rules: [:], fetchedAt: Date(timeIntervalSince1970: 0))
            try await SQLiteRuntimeConfigStore(database).store(config, for: owner)
        }
        let counts = try await database.erase(owner: "a", queue: queues[0])
        #expect(counts == ["results": 1, "recordings": 1, "evaluations": 1, "waiting": 1])
        #expect(try await all("a").isEmpty)
        #expect(try await queues[0].items().isEmpty)
        #expect(try await SQLiteRuntimeConfigStore(database).config(for: "a") == nil)
        #expect(try await all("b").count == 1)
        #expect(try await queues[1].items().count == 1)
        #expect(try await SQLiteEvaluationStore(database, owner: "b").evaluations(of: recording.id).count == 1)
        #expect(try await SQLiteRuntimeConfigStore(database).config(for: "b") != nil)
    }

    @Test func recordingsAreListedAndFoundByTheirContent() async throws {
        let index = SQLiteRecordingIndex(database, owner: "a")
        let recordings = (0..<5).map { Self.recording(hash: $0 == 3 ? "b" : "a", at: Double($0 / 2)) }
        for recording in recordings { #expect(try await index.insert(recording)) }
        #expect(try await !index.insert(recordings[0]))
        let sorted = recordings.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
        var listed: [Recording] = []
        while case let page = try await index.recordings(
            after: listed.last.map { RecordingCursor(after: $0) }, limit: 2), !page.isEmpty
        {
            listed += page
        }
        #expect(listed == sorted)
        #expect(try await index.recording(hash: recordings[3].contentHash) == recordings[3])
        #expect(try await index.recording(hash: recordings[0].contentHash) == recordings[0])
        #expect(try await index.delete(recordings[0].id))
        let place = try #require(sorted.firstIndex(of: recordings[0]))
        #expect(
            try await index.recordings(after: RecordingCursor(after: recordings[0]), limit: 9)
                == Array(sorted[(place + 1)...]))
    }

    @Test func deletingARecordingTakesItsEvaluations() async throws {
        let (index, store) = (SQLiteRecordingIndex(database, owner: "a"), SQLiteEvaluationStore(database, owner: "a"))
        let (recording, other) = (Self.recording(), Self.recording())
        for recording in [recording, other] {
            _ = try await index.insert(recording)
            try await store.store(PracticeSamples.evaluation(), of: recording.id)
        }
        #expect(try await index.delete(recording.id))
        #expect(try await store.evaluations(of: recording.id).isEmpty)
        #expect(try await store.evaluations(of: other.id).count == 1)
    }
}
