// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct PracticeContractTests {
    @Test(arguments: CueRepositoryContract.checks)
    func cues(_ check: ContractCheck<CueRepositorySubject>) async throws {
        let store = InMemoryCueStore()
        try await check.run(
            CueRepositorySubject(
                repository: store, add: { await store.add($0) }, remove: { await store.remove($0) }))
    }

    @Test(arguments: CueStoreContract.checks)
    func cueStores(_ check: ContractCheck<any CueStore>) async throws {
        try await check.run(InMemoryCueStore())
    }

    @Test(arguments: PracticeRepositoryContract.checks)
    func results(_ check: ContractCheck<any PracticeRepository>) async throws {
        try await check.run(InMemoryPracticeRepository())
    }

    @Test(arguments: RecordingRepositoryContract.checks)
    func recordings(_ check: ContractCheck<RecordingRepositorySubject>) async throws {
        // Any function of the bytes does as a hash here.
        let hash: @Sendable ([UInt8]) -> String = { bytes in "\(bytes.count) \(bytes.reduce(7) { $0 &* 31 &+ Int($1) })"
        }
        try await check.run(
            RecordingRepositorySubject(
                repository: InMemoryRecordingRepository(hash: hash),
                sample: { number in
                    let bytes = (0..<(number * 1_500 + 10)).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }
                    return RecordingSample(
                        bytes: bytes, hash: hash(bytes), at: Double(number), duration: 1, sampleRate: 16_000)
                }))
    }

    @Test(arguments: EvaluationStoreContract.checks)
    func evaluations(_ check: ContractCheck<any EvaluationStore>) async throws {
        try await check.run(InMemoryEvaluationStore())
    }

    @Test(arguments: RuntimeConfigStoreContract.checks)
    func configs(_ check: ContractCheck<any RuntimeConfigStore>) async throws {
        try await check.run(InMemoryRuntimeConfigStore())
    }

    @Test func aNameIsMadeOfItsHalves() {
        for _ in 0..<100 {
            let id = Identifier<Cue>()
            #expect(Identifier<Cue>(high: id.halves.high, low: id.halves.low) == id)
        }
    }
}
