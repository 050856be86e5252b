// SPDX-License-Identifier: MIT

import DataLayer
import Digests
import Domain
import DomainTestSupport
import Foundation
import Networking
import ParleyServer
import Security
import TestKit
import Testing

/// What works over HTTP keeps the contracts of its ports against the reference server, as the fakes and what works on this device
/// do in the tests of their packages.
@Suite(.timeLimit(.minutes(5))) struct PracticeContractTests {
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

    @Test(arguments: PracticeRepositoryContract.checks)
    func resultsOverHTTP(_ check: ContractCheck<any PracticeRepository>) async throws {
        try await ReferenceServer.run { try await check.run(RemotePracticeRepository($0.practice)) }
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func recordingsOverHTTP(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        let folder = try TemporaryFolder()
        try await ReferenceServer.run { server in
            var configuration = TusClient.Configuration()
            configuration.chunkSize = 2_000
            configuration.initialDelay = .zero
            let repository = RemoteRecordingRepository(
                server.practice, uploads: FileTusUploadStore(folder: folder.path), configuration: configuration)
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

    // MARK: Evaluations and sessions

    /// Takes every recording for the same reading.
    private struct SampleEvaluator: SoundEvaluator {
        func evaluate(file: String, _ recording: Recording, of cue: Cue?) -> Evaluation { PracticeSamples.evaluation() }
    }

    @Test(arguments: RecordingEvaluatorContract.checks)
    func evaluatorsOverHTTP(_ check: ContractCheck<RecordingEvaluatorSubject>) async throws {
        let folder = try TemporaryFolder()
        let sample = try Self.sample(1)
        let (local, empty) = (
            InMemoryRecordingRepository(hash: Self.hash), InMemoryRecordingRepository(hash: Self.hash)
        )
        try await local.store(sample.recording, content: sample.content)
        try await ReferenceServer.run(evaluator: SampleEvaluator()) { server in
            let evaluator = { @Sendable (practice: PracticeServer, sounds: any RecordingRepository) in
                let recordings = RemoteRecordingRepository(practice, uploads: FileTusUploadStore(folder: folder.path))
                return RemoteEvaluator(practice, recordings: recordings, local: sounds)
            }
            try await check.run(
                RecordingEvaluatorSubject(
                    evaluator: evaluator(server.practice, local), recording: sample.recording,
                    cue: CueSamples.cue("Good morning"),
                    failing: [
                        "notFound": { evaluator(server.practice, empty) },
                        "signInNeeded": { evaluator(server.signedOut, local) },
                        "offline": { evaluator(server.unreachable, local) },
                    ]))
        }
    }

    @Test(arguments: SessionServiceContract.checks)
    func sessionsOverHTTP(_ check: ContractCheck<SessionServiceSubject>) async throws {
        try await ReferenceServer.run { server in
            try await check.run(
                SessionServiceSubject(
                    service: RemoteSessionService(server.practice), email: "ada@example.org",
                    signedOut: RemoteSessionService(server.signedOut),
                    failing: ["offline": { RemoteSessionService(server.unreachable) }]))
        }
    }
}
