// SPDX-License-Identifier: MIT

import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import Domain

/// The measurements that the use cases store for each turn.
@Suite(.timeLimit(.minutes(5))) struct MeasuredTurnTests {
    private let journal = Journal()
    private let store = InMemoryConversationRepository()
    private let ongoing = OngoingConversation(Conversation(startedAt: Date(timeIntervalSince1970: 0)))
    private let clock = ManualClock()
    private let now = Date(timeIntervalSince1970: 1_000)

    private func answer(
        _ assistant: any Assistant, statistics: (any TurnStatistics)? = nil, keeps: Bool = false
    ) -> AnswerQuestion {
        let (now, keep) = (now, { @Sendable (_: WaitingQuestion) async throws in })
        return AnswerQuestion(
            assistant: assistant, conversations: store, wording: \.code, clock: clock, now: { now },
            statistics: statistics ?? store, keep: keeps ? keep : nil)
    }

    private func noted() async throws -> [TurnMeasurement] {
        try await store.turns(in: .distantPast..<Date.distantFuture).map(\.measurement)
    }

    /// An answer whose first word and whose end come at known times.
    private struct SlowAssistant: Assistant {
        let clock: ManualClock

        func answer(
            _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
        ) async throws -> AssistantAnswer {
            clock.advance(by: .milliseconds(300))
            try await report(.delta("It "))
            clock.advance(by: .milliseconds(200))
            try await report(.delta("is."))
            return AssistantAnswer(text: "It is.", source: .model("m"))
        }
    }

    @Test func `a typed turn has its outcome and the times of its answer`() async throws {
        let turn = TurnID()
        _ = try await answer(SlowAssistant(clock: clock))("why", of: turn, in: ongoing)
        #expect(
            try await noted() == [
                TurnMeasurement(
                    turn: turn, startedAt: now, modality: .text, outcome: .answered,
                    latencies: [.answer: .milliseconds(300), .wholeAnswer: .milliseconds(500)])
            ])
    }

    @Test(arguments: [
        (DomainError.invalidQuery as any Error, TurnOutcome.refused("invalidQuery")),
        (DomainError.offline("gone"), .failed("offline")), (CancellationError(), .stopped),
        (OtherError(), .failed("other")),
    ])
    func `an error is an outcome without a word of it`(_ error: any Error, _ outcome: TurnOutcome) async throws {
        let ask = answer(ScriptedAssistant(journal: journal, failure: error))
        await #expect(throws: (any Error).self) { _ = try await ask("why", of: TurnID(), in: ongoing) }
        #expect(try await noted().map(\.outcome) == [outcome])
    }

    private struct OtherError: Error {}

    @Test func `a turn that is stopped by its task is noted`() async throws {
        let ask = answer(
            ScriptedAssistant(journal: journal, events: [.delta("It")], waitsBehindEvents: true))
        let asking = Task { [ongoing] in try await ask("why", of: TurnID(), in: ongoing) }
        try await eventually { journal.position("reported all") != nil }
        asking.cancel()
        _ = await asking.result
        #expect(try await noted().map(\.outcome) == [.stopped])
    }

    @Test func `an empty question is not counted and one too long fails`() async throws {
        let ask = answer(ScriptedAssistant(journal: journal))
        await #expect(throws: DomainError.self) { _ = try await ask("  ", of: TurnID(), in: ongoing) }
        #expect(try await noted().isEmpty)
        let long = String(repeating: "a", count: AnswerQuestion.questionLimit + 1)
        await #expect(throws: DomainError.self) { _ = try await ask(long, of: TurnID(), in: ongoing) }
        #expect(try await noted().map(\.outcome) == [.failed("queryTooLong")])
    }

    @Test func `statistics that fail cost no answer`() async throws {
        let ask = answer(
            ScriptedAssistant(journal: journal), statistics: FailingTurnStatistics(.storage("It is full.")))
        let given = try await ask("capital of Texas", of: TurnID(), in: ongoing)
        #expect(given == ScriptedAssistant.answer)
        #expect(await store.messages(in: ongoing.conversation.id).count == 2)
    }

    @Test func `a kept question is kept until it has its answer`() async throws {
        let turn = TurnID()
        let question = WaitingQuestion(
            turn: turn, conversation: ongoing.conversation, text: "why", askedAt: now.addingTimeInterval(-60))
        let away = ScriptedAssistant(journal: journal, failure: DomainError.offline("gone"))
        await #expect(throws: DomainError.self) {
            _ = try await answer(away, keeps: true)("why", of: turn, in: ongoing)
        }
        #expect(try await noted().map(\.outcome) == [.kept])
        await #expect(throws: DomainError.self) { _ = try await answer(away)(kept: question) { _ in } }
        #expect(try await noted().map(\.outcome) == [.kept], "a further attempt is no other outcome")
        _ = try await answer(ScriptedAssistant(journal: journal))(kept: question) { _ in }
        let measurements = try await noted()
        #expect(measurements.map(\.outcome) == [.answered] && measurements.map(\.startedAt) == [question.askedAt])
    }

    // MARK: Spoken turns

    private func hold(_ script: ScriptedListener.Script, failure: DomainError? = nil) -> HoldSpokenTurn {
        HoldSpokenTurn(
            listener: ScriptedListener(journal: journal, script: script), speaker: ScriptedSpeaker(journal: journal),
            answerQuestion: answer(ScriptedAssistant(journal: journal, failure: failure)))
    }

    @Test func `a spoken turn has the times of its stages`() async throws {
        _ = try await hold(.hears("capital of texas"))(TurnID(), in: ongoing) { _ in }
        let measurement = try #require(try await noted().first)
        #expect(measurement.outcome == .answered && measurement.modality == .voice)
        // The scripted listener tells no end of speech.
        #expect(Set(measurement.latencies.keys) == [.answer, .wholeAnswer, .synthesis, .playback])
        #expect(measurement.latencies.values.allSatisfy { $0 >= .zero })
    }

    @Test func `a spoken refusal is noted with its speech`() async throws {
        await #expect(throws: DomainError.invalidQuery) {
            _ = try await hold(.hears("capital of france"), failure: .invalidQuery)(TurnID(), in: ongoing) { _ in }
        }
        let measurement = try #require(try await noted().first)
        #expect(measurement.outcome == .refused("invalidQuery") && measurement.latencies[.playback] != nil)
    }

    @Test(arguments: [
        (DomainError.notUnderstood, [TurnOutcome.refused("notUnderstood")]),
        (.device("It is gone."), [.failed("device")]), (.noSpeech, []),
    ])
    func `what is not understood counts, and silence does not`(
        _ error: DomainError, _ outcomes: [TurnOutcome]
    ) async throws {
        await #expect(throws: error) { _ = try await hold(.fails(error))(TurnID(), in: ongoing) { _ in } }
        #expect(try await noted().map(\.outcome) == outcomes)
    }

    @Test func `who stops before there is a question asks nothing`() async throws {
        let hold = hold(.waits)
        let holding = Task { [ongoing] in try await hold(TurnID(), in: ongoing) { _ in } }
        try await eventually { journal.position("waiting") != nil }
        holding.cancel()
        _ = await holding.result
        #expect(try await noted().isEmpty)
    }

    @Test func `all day each question counts, with the time to its first sound`() async throws {
        let (listener, reports) = (ScriptedRoomListener(journal: journal), RoomReports())
        let assistant = ListenAllDay(
            listener: listener, speaker: ScriptedSpeaker(journal: journal),
            earcons: ScriptedEarconPlayer(journal: journal),
            answerQuestion: answer(ScriptedAssistant(journal: journal)), clock: ScriptedClock())
        async let done: Void = assistant { reports.add($0) }
        listener.play(.wakeWord, at: 1)
        listener.play(.notUnderstood, at: 2)
        listener.play(.wakeWord, at: 20)
        let spoken = ContinuousClock.now
        listener.play(.reached(.speechEnded, at: spoken - .seconds(5)), at: 21)
        listener.play(.reached(.speechEnded, at: spoken), at: 23)
        listener.play(.reached(.endpointDetected, at: spoken + .milliseconds(250)), at: 23)
        listener.play(.reached(.transcriptReady, at: spoken + .milliseconds(260)), at: 23)
        listener.play(.question(Transcript(text: "what is the capital of texas", confidence: 0.9)), at: 24)
        await reports.next(.speaking)
        await reports.next(.listening)
        // Behind an answer, what is said may be for somebody else.
        listener.play(.notUnderstood, at: 25)
        listener.play(.end)
        try await done
        let measurements = try await noted()
        #expect(measurements.count == 2, "\(measurements)")
        let answered = try #require(measurements.first { $0.outcome == .answered })
        #expect(measurements.contains { $0.outcome == .refused("notUnderstood") && $0.modality == .voice })
        #expect(answered.latencies[.endpoint] == .milliseconds(250), "the last end of speech counts")
        #expect(answered.latencies[.recognition] == .milliseconds(10) && answered.latencies[.reply] != nil)
    }

    @Test func `a conversation with a model by voice counts its answered questions`() async throws {
        let now = now
        let record = RecordSpeech(ongoing, storingIn: store, now: { now }, statistics: store)
        try await record.answered("Hello.", isInterrupted: false, by: "m")
        try await record.asked("one")
        try await record.answered("It is", isInterrupted: true, by: "m")
        try await record.answered("It is one.", isInterrupted: false, by: "m")
        try await record.asked("two")
        let turns = try await store.turns(in: .distantPast..<Date.distantFuture)
        #expect(turns.map(\.measurement.outcome) == [.answered] && turns.map(\.source) == [.model("m")])
    }
}
