// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

/// The fakes keep the contracts of the ports that they stand for.
@Suite("Fakes keep the contracts", .timeLimit(.minutes(5))) struct FakeContractTests {
    private static let broken = DomainError.device("It is gone.")

    @Test(arguments: ConversationRepositoryContract.checks)
    func conversations(_ check: ContractCheck<any ConversationRepository>) async throws {
        try await check.run(InMemoryConversationRepository())
    }

    @Test(arguments: TurnStatisticsContract.checks)
    func statistics(_ check: ContractCheck<TurnStatisticsSubject>) async throws {
        let store = InMemoryConversationRepository()
        try await check.run(
            TurnStatisticsSubject(
                store, again: { store }, failing: ["storage": { FailingTurnStatistics(.storage("It is full.")) }]))
    }

    @Test(arguments: TimeZonesContract.checks)
    func timeZones(_ check: ContractCheck<any TimeZones>) async throws {
        try await check.run(ScriptedTimeZones())
    }

    @Test(arguments: VolumeControlContract.checks)
    func volumes(_ check: ContractCheck<any VolumeControl>) async throws { try await check.run(ScriptedVolume()) }

    @Test(arguments: SpeakingRateContract.checks)
    func rates(_ check: ContractCheck<any SpeakingRate>) async throws { try await check.run(ScriptedRate()) }

    @Test(arguments: AlarmScheduleContract.checks)
    func alarms(_ check: ContractCheck<AlarmScheduleSubject>) async throws {
        let schedule = InMemoryAlarmSchedule()
        try await check.run(
            AlarmScheduleSubject(
                schedule: schedule, again: { schedule },
                failing: ["storage": { InMemoryAlarmSchedule(failure: .storage("It is full.")) }]))
    }

    @Test(arguments: SpeechEngineRepositoryContract.checks)
    func speechEngines(_ check: ContractCheck<SpeechEngineRepositorySubject>) async throws {
        let engines = InMemorySpeechEngines()
        try await check.run(
            SpeechEngineRepositorySubject(
                repository: engines, again: { engines },
                failing: ["storage": { InMemorySpeechEngines(failure: .storage("It is full.")) }]))
    }

    @Test(arguments: ContextSourceContract.checks)
    func contextSources(_ check: ContractCheck<ContextSourceSubject>) async throws {
        try await check.run(
            ContextSourceSubject(
                ScriptedContextSource(.activity(.idle)),
                failing: ["device": { ScriptedContextSource(.activity, failure: .device("It is gone.")) }]))
    }

    @Test(arguments: UploadConsentStoreContract.checks)
    func consents(_ check: ContractCheck<any UploadConsentStore>) async throws {
        try await check.run(InMemoryUploadConsentStore())
    }

    @Test(arguments: ConnectivityContract.checks)
    func connectivity(_ check: ContractCheck<ConnectivitySubject>) async throws {
        let way = ScriptedConnectivity()
        try await check.run(
            ConnectivitySubject(way, cut: { way.set(.noNetwork) }, restore: { way.set(nil) }))
    }

    @Test(arguments: AnswerCacheContract.checks)
    func answerCache(_ check: ContractCheck<any AnswerCache>) async throws {
        try await check.run(InMemoryAnswerCache())
    }

    @Test(arguments: WaitingQuestionsContract.checks)
    func waitingQuestions(_ check: ContractCheck<any WaitingQuestions>) async throws {
        try await check.run(InMemoryWaitingQuestions())
    }

    @Test(arguments: VoiceProfileRepositoryContract.checks)
    func voiceProfiles(_ check: ContractCheck<any VoiceProfileRepository>) async throws {
        try await check.run(InMemoryVoiceProfileRepository())
    }

    // MARK: Practice

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

    @Test(arguments: PracticeRecorderContract.checks)
    func recorders(_ check: ContractCheck<PracticeRecorderSubject>) async throws {
        let recorder = ScriptedRecorder()
        try await check.run(
            PracticeRecorderSubject(
                recorder: recorder, kept: { await recorder.kept },
                interrupt: {
                    await recorder.set(interruption: Self.broken)
                    await recorder.breakOff()
                },
                failing: [
                    "device": {
                        let recorder = ScriptedRecorder()
                        await recorder.set(startError: Self.broken)
                        return recorder
                    }
                ]))
    }

    @Test(arguments: RecordingPlayerContract.checks)
    func players(_ check: ContractCheck<RecordingPlayerSubject>) async throws {
        try await check.run(
            RecordingPlayerSubject(
                player: ScriptedPlayer(), endless: ScriptedPlayer(isEndless: true), recording: Self.recording,
                failing: [
                    "notFound": { ScriptedPlayer(error: .notFound("recording")) },
                    "device": { ScriptedPlayer(error: Self.broken) },
                ]))
    }

    @Test(arguments: RecordingEvaluatorContract.checks, [false, true])
    func evaluators(_ check: ContractCheck<RecordingEvaluatorSubject>, isGated: Bool) async throws {
        let gate = try await InMemoryUploadConsentStore().openGate(of: "ada")
        let evaluator = { @Sendable (answer: Result<Evaluation, DomainError>) -> any RecordingEvaluator in
            let evaluator = ScriptedEvaluator(answer: answer)
            return isGated ? GatedEvaluator(evaluator, behind: gate) : evaluator
        }
        try await check.run(
            RecordingEvaluatorSubject(
                evaluator: evaluator(.success(PracticeSamples.evaluation())), recording: Self.recording,
                cue: CueSamples.cue("Good morning"),
                failing: [
                    "notFound": { evaluator(.failure(.notFound("recording"))) },
                    "offline": { evaluator(.failure(.offline("There is no route."))) },
                ]))
    }

    private static let recording = Recording(
        cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 2, format: .flac, sampleRate: 16_000,
        byteCount: 3, contentHash: "a")

    // MARK: Turns and listening

    @Test(arguments: AssistantContract.checks)
    func assistants(_ check: ContractCheck<AssistantSubject>) async throws {
        let assistant = ScriptedAssistant { $0.contains("France") ? DomainError.invalidQuery : nil }
        try await check.run(
            AssistantSubject(
                assistant: assistant, known: ["capital of Texas"], refused: ["capital of France"],
                failing: ["generationFailed": { ScriptedAssistant(failure: DomainError.generationFailed("No model.")) }]
            )
        )
    }

    @Test(arguments: SpeechListenerContract.checks)
    func listeners(_ check: ContractCheck<SpeechListenerSubject>) async throws {
        try await check.run(
            SpeechListenerSubject(
                question: "capital of texas",
                listener: { sound in
                    switch sound {
                    case .question: ScriptedListener(script: .hears("capital of texas"))
                    case .otherSpeech: ScriptedListener(script: .fails(.notUnderstood))
                    case .silence: ScriptedListener(script: .fails(.noSpeech))
                    case .endlessSilence: ScriptedListener(script: .waits)
                    }
                },
                failing: ["device": { ScriptedListener(script: .fails(Self.broken)) }]))
    }

    @Test(arguments: SpeechSpeakerContract.checks)
    func speakers(_ check: ContractCheck<SpeechSpeakerSubject>) async throws {
        try await check.run(
            SpeechSpeakerSubject(
                speaker: { ScriptedSpeaker() }, failing: ["device": { ScriptedSpeaker(failure: Self.broken) }]))
    }

    @Test(arguments: RoomListenerContract.checks)
    func ears(_ check: ContractCheck<RoomListenerSubject>) async throws {
        let listener = { @Sendable (sounds: [ScriptedRoomListener.Sound]) in
            let listener = ScriptedRoomListener()
            for sound in sounds { listener.play(sound) }
            return listener
        }
        let silence = ScriptedRoomListener.Sound.reported(ListenerReport(.level(-60), at: .zero))
        try await check.run(
            RoomListenerSubject(
                questions: ["capital of texas", "bird of utah"],
                room: {
                    let listener = listener([silence])
                    return RoomListenerSubject.Room(listener: listener) { listener.play(.words($0)) }
                },
                ending: { listener([silence, .end]) }, failing: ["device": { listener([.failure(Self.broken)]) }]))
    }

    @Test(arguments: EarconPlayerContract.checks)
    func earcons(_ check: ContractCheck<EarconPlayerSubject>) async throws {
        try await check.run(
            EarconPlayerSubject(
                player: { ScriptedEarconPlayer(onSound: $0) },
                failing: ["device": { ScriptedEarconPlayer(failure: Self.broken) }]))
    }

    // MARK: Session, queue and erasure

    @Test(arguments: RuntimeConfigStoreContract.checks)
    func configs(_ check: ContractCheck<any RuntimeConfigStore>) async throws {
        try await check.run(InMemoryRuntimeConfigStore())
    }

    @Test(arguments: SessionServiceContract.checks)
    func sessions(_ check: ContractCheck<SessionServiceSubject>) async throws {
        let profile = Profile(account: "a", email: "ada@example.org", createdAt: Date(timeIntervalSince1970: 0))
        let config = RuntimeConfig(rules: [:], fetchedAt: Date(timeIntervalSince1970: 1))
        let failing = { @Sendable (error: DomainError) in
            ScriptedSessionService(answer: .failure(error)) { _ throws(DomainError) in throw error }
        }
        try await check.run(
            SessionServiceSubject(
                service: ScriptedSessionService(answer: .success((profile, config))), email: profile.email,
                signedOut: failing(.signInNeeded), failing: ["offline": { failing(.offline("There is no route.")) }]))
    }

    @Test(arguments: SyncQueueContract.checks)
    func queues(_ check: ContractCheck<SyncQueueSubject>) async throws {
        let queue = InMemorySyncQueue()
        let worker = ScriptedSyncWorker(queue) { _ in throw DomainError.invalidInput("It is not as it should be.") }
        try await check.run(
            SyncQueueSubject(
                queue: queue, add: { await Self.add(to: queue) }, fail: { _ = try await worker.drain { _ in } })
        )
    }

    @Test(arguments: SyncWorkerContract.checks)
    func workers(_ check: ContractCheck<SyncWorkerSubject>) async throws {
        let (queue, server) = (InMemorySyncQueue(), Server())
        try await check.run(
            SyncWorkerSubject(
                worker: ScriptedSyncWorker(queue) { try await server.send($0) }, queue: queue,
                add: { await Self.add(to: queue) }, fail: { await server.fail($0) }, sent: { await server.sent }))
    }

    private static func add(to queue: InMemorySyncQueue) async -> SyncItem.Work {
        let work = SyncItem.Work.send(.result, Identifier<PracticeResult>())
        await queue.add(work)
        return work
    }

    private actor Server {
        private(set) var sent: [SyncItem.Work] = []
        private var failure: DomainError?

        func fail(_ error: DomainError) { failure = error }

        func send(_ work: SyncItem.Work) throws {
            if let error = failure {
                failure = nil
                throw error
            }
            sent.append(work)
        }
    }

    @Test(arguments: PersonalDataStoreContract.checks)
    func places(_ check: ContractCheck<PersonalDataStoreSubject>) async throws {
        let store = InMemoryPersonalDataStore()
        try await check.run(
            PersonalDataStoreSubject(
                store: store,
                fill: {
                    for thing in ["a", "b", "c"] { await store.add(thing) }
                    return ["things": 3]
                },
                failing: ["file": { InMemoryPersonalDataStore(["a"], stopsAfter: 0, error: DomainError.file("No.")) }]))
    }
}
