// SPDX-License-Identifier: MIT

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

@Suite struct SealedRecordingRepositoryTests {
    private let folder: TemporaryFolder
    private let sealed: SealedRecordingFolder
    private let database: PracticeDatabase
    private let gate: UploadGate
    private let queue: OutboxSyncQueue
    private let repository: SealedRecordingRepository

    init() async throws {
        folder = try TemporaryFolder()
        sealed = try SealedRecordingFolder(
            path: folder.file("recordings"), key: try SymmetricKey([UInt8](repeating: 7, count: 32)))
        database = try await PracticeDatabase(path: folder.file("practice"))
        gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada")
        let sealed = sealed
        repository = SealedRecordingRepository(
            SQLiteRecordingIndex(database, owner: "ada", queue: queue), path: sealed.path
        ) { sealed }
    }

    private static func sample(_ number: Int) throws -> RecordingSample {
        var generator = SeededGenerator(seed: UInt64(number))
        let bytes = (0..<(number * 9_000 + 100)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let hash = Hexadecimal.text(try SHA256.hash(bytes))
        return RecordingSample(
            bytes: bytes, hash: hash, at: 1_700_000_000.125 + Double(number), duration: 1.5, sampleRate: 16_000)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: sealed.path) }
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func contract(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        try await check.run(RecordingRepositorySubject(repository: repository, sample: Self.sample))
    }

    @Test func theSoundIsNowhereInTheClear() async throws {
        let sample = try Self.sample(3)
        try await repository.store(sample.recording, content: sample.content)
        #expect(try files == ["\(sample.recording.id).sealed"])
        let stored = try Data(contentsOf: URL(filePath: sealed.path(of: sample.recording.id)))
        for start in stride(from: 0, to: sample.content.bytes.count - 16, by: 1_000) {
            #expect(stored.range(of: Data(sample.content.bytes[start..<start + 16])) == nil)
        }
    }

    @Test func whatIsTurnedDownLeavesNoFile() async throws {
        let (one, two) = (try Self.sample(1), try Self.sample(2))
        let changed = InMemoryContent(one.content.bytes.dropLast() + [~(one.content.bytes.last ?? 0)])
        for content in [changed, two.content, InMemoryContent([])] {
            await #expect(throws: DomainError.self) { try await repository.store(one.recording, content: content) }
        }
        #expect(try files.isEmpty)
        #expect(try await queue.items().isEmpty)
    }

    @Test func whatIsKeptIsSentAndWhatIsDeletedIsToldToTheServer() async throws {
        let sample = try Self.sample(1)
        try await repository.store(sample.recording, content: sample.content)
        try await repository.keep(sample.recording)
        #expect(try await queue.items().map(\.work) == [.send(.recording, sample.recording.id)])
        #expect(try await repository.delete(sample.recording.id))
        #expect(try files.isEmpty)
        #expect(try await queue.items().map(\.work) == [.delete(.recording, sample.recording.id)])
    }

    @Test func whatStillHasToGetToTheServerDoesNotExpire() async throws {
        let receiver = ScriptedReceiver()
        let results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
        let worker = OutboxSyncWorker(
            queue: queue, routes: [.recordings(repository, to: receiver), .results(results, to: receiver)], gate: gate)
        let sample = try Self.sample(2)
        try await repository.store(sample.recording, content: sample.content)
        #expect(try await !repository.expire(sample.recording.id))
        #expect(try files.count == 1)
        #expect(try await worker.drain { _ in } == 0)
        #expect(await receiver.recordings == [sample.recording.id: sample.content.bytes])
        #expect(try await repository.expire(sample.recording.id))
        #expect(try await !repository.expire(sample.recording.id))
        #expect(try files.isEmpty)
        #expect(try await queue.items().isEmpty)
    }

    @Test func aFileWithoutARowIsFoundWhenItIsOld() async throws {
        let sample = try Self.sample(1)
        try await repository.store(sample.recording, content: sample.content)
        let lost = Identifier<Recording>()
        try FileManager.default.copyItem(
            atPath: sealed.path(of: sample.recording.id), toPath: sealed.path(of: lost))
        #expect(try await repository.abandoned(since: .distantPast).isEmpty)
        #expect(try await repository.abandoned(since: .distantFuture) == [lost])
    }

    @Test func aFileThatIsGoneIsSaid() async throws {
        let sample = try Self.sample(1)
        try await repository.store(sample.recording, content: sample.content)
        try await sealed.remove(sample.recording.id)
        await #expect(throws: DomainError.self) { try await repository.content(of: sample.recording.id) }
    }

    @Test func `without the key a recording goes with its file`() async throws {
        let index = SQLiteRecordingIndex(database, owner: "ada")
        let open = SealedRecordingRepository(index, path: sealed.path) { [sealed] in sealed }
        let locked = SealedRecordingRepository(index, path: sealed.path) { throw DomainError.storage("locked") }
        let samples = try (1...2).map(Self.sample)
        for sample in samples { try await open.store(sample.recording, content: sample.content) }
        #expect(try await locked.delete(samples[0].recording.id))
        #expect(try await locked.expire(samples[1].recording.id))
        #expect(try files.isEmpty)
        #expect(try await locked.unfinished().isEmpty)
    }

    @Test func aFileWithoutARowIsWrittenAnew() async throws {
        let sample = try Self.sample(2)
        try await repository.store(sample.recording, content: sample.content)
        // As a process leaves it that was killed between the two.
        let other = SealedRecordingRepository(
            SQLiteRecordingIndex(try await PracticeDatabase(), owner: "ada"), path: sealed.path
        ) { [sealed] in sealed }
        try await other.store(sample.recording, content: sample.content)
        #expect(try await other.recording(sample.recording.id) == sample.recording)
        #expect(try await other.content(of: sample.recording.id).byteCount == sample.content.byteCount)
        #expect(try files.count == 1)
    }

    @Test func onlyItsOwnerAndItsKeyOpenAFile() async throws {
        let sample = try Self.sample(2)
        try await repository.store(sample.recording, content: sample.content)
        let mode = try FileManager.default.attributesOfItem(atPath: sealed.path(of: sample.recording.id))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        await #expect(throws: DomainError.self) {
            _ = try await SealedRecordingFolder(path: sealed.path, key: try SymmetricKey()).open(sample.recording.id)
        }
    }
}
