// SPDX-License-Identifier: MIT

import DataLayer
import DataVoice
import Digests
import Domain
import DomainTestSupport
import Foundation
import Networking
import Security
import Testing

/// The fakes, the stores on this device and the repositories over HTTP against the reference server keep the same promises.
@Suite(.timeLimit(.minutes(5))) struct PracticeContractTests {
    // MARK: Cues

    @Test(arguments: CueRepositoryContract.checks)
    func cuesInMemory(_ check: ContractCheck<CueRepositorySubject>) async throws {
        let store = InMemoryCueStore()
        try await check.run(
            CueRepositorySubject(repository: store, add: { await store.add($0) }, remove: { await store.remove($0) }))
    }

    @Test(arguments: CueRepositoryContract.checks)
    func cuesInSQLite(_ check: ContractCheck<CueRepositorySubject>) async throws {
        let store = SQLiteCueStore(try await PracticeDatabase())
        try await check.run(
            CueRepositorySubject(
                repository: store, add: { try await store.add($0) }, remove: { try await store.remove([$0]) }))
    }

    @Test(arguments: CueRepositoryContract.checks)
    func cuesOverHTTP(_ check: ContractCheck<CueRepositorySubject>) async throws {
        try await ReferenceServer.run { server in
            let catalogue = server.catalogue
            try await check.run(
                CueRepositorySubject(
                    repository: RemoteCueRepository(server.practice), add: { try await catalogue.add($0) },
                    remove: { try await catalogue.remove([$0]) }))
        }
    }

    // MARK: Results

    @Test(arguments: PracticeRepositoryContract.checks)
    func resultsInMemory(_ check: ContractCheck<any PracticeRepository>) async throws {
        try await check.run(InMemoryPracticeRepository())
    }

    @Test(arguments: PracticeRepositoryContract.checks)
    func resultsInSQLite(_ check: ContractCheck<any PracticeRepository>) async throws {
        try await check.run(SQLitePracticeRepository(try await PracticeDatabase(), owner: "ada"))
    }

    @Test(arguments: PracticeRepositoryContract.checks)
    func resultsOverHTTP(_ check: ContractCheck<any PracticeRepository>) async throws {
        try await ReferenceServer.run { try await check.run(RemotePracticeRepository($0.practice)) }
    }

    // MARK: Recordings

    @Test(arguments: RecordingRepositoryContract.checks)
    func recordingsInMemory(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        let repository = InMemoryRecordingRepository(hash: Self.hash)
        try await check.run(RecordingRepositorySubject(repository: repository, sample: Self.sample))
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func recordingsInSealedFiles(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "parley-contract-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try SealedRecordingFolder(path: path, key: try SymmetricKey())
        let index = SQLiteRecordingIndex(try await PracticeDatabase(), owner: "ada")
        let repository = SealedRecordingRepository(index) { folder }
        try await check.run(RecordingRepositorySubject(repository: repository, sample: Self.sample))
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func recordingsOverHTTP(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "parley-contract-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await ReferenceServer.run { server in
            var configuration = TusClient.Configuration()
            configuration.chunkSize = 2_000
            configuration.initialDelay = .zero
            let repository = RemoteRecordingRepository(
                server.practice, uploads: FileTusUploadStore(folder: path), configuration: configuration)
            try await check.run(RecordingRepositorySubject(repository: repository, sample: Self.sample))
        }
    }

    @Sendable private static func hash(_ bytes: [UInt8]) throws -> String {
        Hexadecimal.text(try SHA256.hash(bytes))
    }

    @Sendable private static func sample(_ number: Int) throws -> RecordingSample {
        // Of several slots and several pieces of an upload, each differently.
        let bytes = (0..<(number * 3_001 + 100)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7 &+ number) }
        return RecordingSample(
            bytes: bytes, hash: try hash(bytes), at: 1_700_000_000.125 + Double(number), duration: 1.5,
            sampleRate: 16_000)
    }

    // MARK: Stores of a device

    @Test(arguments: CueStoreContract.checks)
    func cueStores(_ check: ContractCheck<any CueStore>) async throws {
        try await check.run(InMemoryCueStore())
        try await check.run(SQLiteCueStore(try await PracticeDatabase()))
    }

    @Test(arguments: EvaluationStoreContract.checks)
    func evaluationStores(_ check: ContractCheck<any EvaluationStore>) async throws {
        try await check.run(InMemoryEvaluationStore())
        try await check.run(SQLiteEvaluationStore(try await PracticeDatabase(), owner: "ada"))
    }

    @Test(arguments: RuntimeConfigStoreContract.checks)
    func configStores(_ check: ContractCheck<any RuntimeConfigStore>) async throws {
        try await check.run(InMemoryRuntimeConfigStore())
        try await check.run(SQLiteRuntimeConfigStore(try await PracticeDatabase()))
    }
}
