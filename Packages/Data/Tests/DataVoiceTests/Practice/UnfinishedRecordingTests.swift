// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataLayerTestSupport
import Digests
import Domain
import DomainTestSupport
import Foundation
import Security
import TestKit
import Testing

@testable import DataVoice
@testable import SealedRecordings

/// What a crash left in the folder, and what a rule takes away from it.
@Suite struct UnfinishedRecordingTests {
    private let folder: TemporaryFolder
    private let sealed: SealedRecordingFolder
    private let database: PracticeDatabase
    private let queue: OutboxSyncQueue
    private let repository: SealedRecordingRepository
    private let worker: OutboxSyncWorker
    private let receiver = ScriptedReceiver()
    private static let start = Date(timeIntervalSince1970: 1_750_000_000)

    init() async throws {
        folder = try TemporaryFolder()
        sealed = try SealedRecordingFolder(
            path: folder.file("recordings"), key: try SymmetricKey([UInt8](repeating: 7, count: 32)))
        database = try await PracticeDatabase(path: folder.file("practice"))
        let gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada")
        let sealed = sealed
        repository = SealedRecordingRepository(
            SQLiteRecordingIndex(database, owner: "ada", queue: queue), path: sealed.path
        ) { sealed }
        worker = OutboxSyncWorker(
            queue: queue, routes: [.recordings(repository, to: receiver)], gate: gate)
    }

    /// A file as a process leaves it that is killed after so many frames.
    private func crash(
        after frames: Int, cue: Identifier<Cue>? = nil, at time: Date = start
    ) async throws -> Identifier<Recording> {
        let id = Identifier<Recording>()
        let writer = try await SealedRecordingWriter.create(
            at: sealed.path(of: id), id: id.description, key: sealed.key, format: .speech, startedAt: time,
            subject: cue?.uuid)
        if frames > 0 {
            try await writer.write(
                AudioBuffer(samples: (0..<frames).map { sin(Float($0) * 0.11) / 4 }, format: .speech))
        }
        try await writer.checkpoint()
        return id
    }

    private func kept(_ number: Int, days: Double) async throws -> Recording {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* number) }
        let hash = Hexadecimal.text(try SHA256.hash(bytes))
        let recording = Recording(
            cue: .init(), createdAt: Self.start.addingTimeInterval(-days * 86_400), duration: 1, format: .flac,
            sampleRate: 16_000, byteCount: bytes.count, contentHash: hash)
        try await repository.store(recording, content: InMemoryContent(bytes))
        return recording
    }

    @Test func whatACrashLeftIsListedWithItsCueAndCanBeKept() async throws {
        let cue = Identifier<Cue>()
        let old = try await crash(after: 48_000)
        let new = try await crash(after: 64_000, cue: cue, at: Self.start.addingTimeInterval(60))
        let found = try await repository.unfinished()
        #expect(found.map(\.id) == [new, old] && found.map(\.cue) == [cue, nil])
        #expect(found[0].createdAt == Self.start.addingTimeInterval(60) && found[0].sampleRate == 16_000)
        #expect((2.5...4).contains(found[0].duration), "\(found[0].duration) of 4 s")

        let recording = try await repository.recover(new)
        #expect(recording.cue == cue && recording.duration == found[0].duration)
        #expect(try await repository.unfinished().map(\.id) == [old])
        #expect(try await repository.recordings(after: nil, limit: 9) == [recording])
        #expect(try await worker.drain { _ in } == 0)
        let sent = try #require(await receiver.recordings[new])
        #expect(sent.count == recording.byteCount)
        #expect(Hexadecimal.text(try SHA256.hash(sent)) == recording.contentHash)

        await #expect(throws: DomainError.self, "nobody knows what was said") { try await repository.recover(old) }
        await #expect(throws: DomainError.self, "it is kept already") { try await repository.recover(new) }
        #expect(try await !repository.deleteUnfinished(new))
        #expect(try await repository.deleteUnfinished(old))
        #expect(try await repository.unfinished().isEmpty)
    }

    @Test func whatIsBeingRecordedIsNobodyElses() async throws {
        let id = try await crash(after: 48_000)
        var hold: RecordingHold? = RecordingHold(sealed.path(of: id))
        #expect(try await repository.unfinished().isEmpty)
        #expect(try await !repository.deleteUnfinished(id))
        withExtendedLifetime(hold) {}
        hold = nil
        #expect(try await repository.unfinished().map(\.id) == [id])
    }

    @Test func withoutAFileNobodyIsAskedForTheKey() async throws {
        let locked = SealedRecordingRepository(
            SQLiteRecordingIndex(database, owner: "ada"), path: sealed.path
        ) { throw DomainError.storage("locked") }
        #expect(try await locked.unfinished().isEmpty)
        _ = try await kept(1, days: 0)
        #expect(try await locked.unfinished().isEmpty)
        #expect(try await locked.apply(RetentionRule(), now: Self.start).isEmpty)
        _ = try await crash(after: 48_000)
        await #expect(throws: DomainError.storage("locked")) { try await locked.unfinished() }
    }

    @Test func aRuleTakesWhatTheServerHasAndNothingElse() async throws {
        let rule = RetentionRule(maximumAge: .seconds(30 * 86_400))
        let (sent, unsent, young) = (
            try await kept(1, days: 40), try await kept(2, days: 50), try await kept(3, days: 1)
        )
        #expect(try await repository.apply(rule, now: Self.start).isEmpty, "nothing is at the server")
        await receiver.fail(DomainError.invalidInput("not that one"))
        // The first is turned down and given up: it is not at the server.
        let first = try #require(try await queue.items().first)
        #expect(try await worker.drain { _ in } == 0)
        try await queue.discard(first.id)
        #expect(first.work == .send(.recording, sent.id))
        #expect(try await repository.apply(rule, now: Self.start) == [unsent])
        #expect(try await repository.recordings(after: nil, limit: 9) == [young, sent])
        let all = RetentionRule(maximumAge: .seconds(30 * 86_400), deletesUnsent: true)
        let waiting = try await kept(4, days: 60)
        #expect(try await repository.apply(all, now: Self.start) == [sent], "what waits stays")
        #expect(try await repository.recording(waiting.id) == waiting)
    }

    @Test func whatTheServerMadeOfARecordingStaysWhenItExpires() async throws {
        let recording = try await kept(1, days: 40)
        let evaluations = SQLiteEvaluationStore(database, owner: "ada")
        let evaluation = PracticeSamples.evaluation(source: .server)
        try await evaluations.store(evaluation, of: recording.id)
        #expect(try await worker.drain { _ in } == 0)
        #expect(try await repository.apply(RetentionRule(maximumCount: 0), now: Self.start) == [recording])
        #expect(try await evaluations.evaluations(of: recording.id)[.server] == evaluation)
    }

    @Test func filesWithoutSoundGoAfterAnHour() async throws {
        let empty = try await crash(after: 0)
        let sound = try await crash(after: 48_000)
        _ = try await repository.apply(RetentionRule(), now: Date())
        #expect(try await Set(sealed.recordings()) == [empty, sound])
        _ = try await repository.apply(RetentionRule(), ages: .distantPast, now: Date().addingTimeInterval(3_700))
        #expect(try await sealed.recordings() == [sound])
    }
}
