// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// Questions that a model cannot answer now are kept, and answered later, each once.
@Suite(.timeLimit(.minutes(5))) struct AnswerWaitingTests {
    private let journal = Journal()
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
    private let ongoing: OngoingConversation
    private let questions = InMemoryWaitingQuestions()
    private let repository = InMemoryConversationRepository()
    private let offline = DomainError.offline("gone")

    init() { ongoing = OngoingConversation(conversation) }

    private func ask(
        _ failure: (any Error)?, events: [AnswerEvent] = [],
        keep: (@Sendable (WaitingQuestion) async throws -> Void)? = nil
    ) -> AnswerQuestion {
        AnswerQuestion(
            assistant: ScriptedAssistant(journal: journal, events: events, failure: failure),
            conversations: repository, device: "desk", wording: { "words: \($0.code)" }, clock: ManualClock(),
            keep: keep)
    }

    private func waiting(
        _ failure: (any Error)? = nil, events: [AnswerEvent] = [.delta("Beca"), .delta("use.")],
        connectivity: any Connectivity = ScriptedConnectivity(), clock: any Clock<Duration> = ManualClock()
    ) -> AnswerWaiting {
        AnswerWaiting(
            questions, connectivity: connectivity, answer: ask(failure, events: events), clock: clock,
            reason: { "\($0)" })
    }

    /// Asks a question that is kept.
    private func keep(_ text: String, events: [AnswerEvent] = []) async throws {
        await #expect(throws: DomainError.keptForLater(offline)) {
            _ = try await ask(offline, events: events, keep: { try await questions.keep($0) })(
                text, of: TurnID(), in: ongoing)
        }
    }

    private func stored() async -> [String] {
        await repository.messages(in: conversation.id).map { "\($0.role.rawValue) \($0.state): \($0.text)" }
    }

    @Test func aQuestionIsKeptAndItsAnswerTakesThePlaceOfTheRefusal() async throws {
        try await keep("why")
        #expect(await stored() == ["user whole: why", "assistant whole: words: keptForLater"])
        let events = Mutex<[String]>([])
        let count = try await waiting().now { event in
            if case .answered(let question, let answer) = event {
                events.withLock { $0.append("\(question.text) \(answer.text)") }
            }
        }
        #expect(count == 1 && events.withLock { $0 } == ["why Because."])
        #expect(await stored() == ["user whole: why", "assistant whole: Because."])
        #expect(await repository.messages(in: conversation.id).last?.source == .model("scripted"))
        #expect(try await questions.all().isEmpty)
    }

    @Test func anAnswerThatBrokeOffIsReplacedByAWholeOne() async throws {
        try await keep("why", events: [.delta("Half")])
        #expect(await stored() == ["user whole: why", "assistant interrupted(heard: nil): Half"])
        _ = try await waiting().now { _ in }
        #expect(await stored() == ["user whole: why", "assistant whole: Because."])
    }

    @Test func aQuestionWithAnAnswerIsNotAskedAgain() async throws {
        try await keep("why")
        let kept = try #require(try await questions.all().first?.question)
        _ = try await waiting().now { _ in }
        // As after a kill between the answer and the note of it.
        try await questions.keep(kept)
        #expect(try await waiting().now { _ in } == 1)
        #expect(journal.entries.filter { $0 == "asked why" }.count == 2, "once by the person, once later")
        #expect(await stored() == ["user whole: why", "assistant whole: Because."])
    }

    @Test func whileTheModelIsAwayNothingChanges() async throws {
        try await keep("why")
        let before = await stored()
        #expect(try await waiting(offline, events: []).now { _ in } == 0)
        #expect(await stored() == before)
        #expect(try await questions.all().map(\.stage) == [.waiting])
    }

    @Test func whatWaitingDoesNotMendIsStuckWithItsReason() async throws {
        struct NoKey: Error, CustomStringConvertible { let description = "no key" }
        try await keep("why")
        #expect(try await waiting(NoKey(), events: []).now { _ in } == 0)
        #expect(try await questions.all().map(\.stage) == [.stuck("no key")])
    }

    @Test(arguments: [DomainError.invalidQuery, .generationFailed("no"), .storage("full")])
    func onlyWhatWillPassIsKept(_ error: DomainError) async throws {
        await #expect(throws: error) {
            _ = try await ask(error, keep: { try await questions.keep($0) })("why", of: TurnID(), in: ongoing)
        }
        #expect(try await questions.all().isEmpty)
    }

    @Test func aQuestionThatCannotBeKeptIsAnErrorAndStaysInTheConversation() async throws {
        let full = DomainError.storage("full")
        await #expect(throws: full) {
            _ = try await ask(offline, keep: { _ in throw full })("why", of: TurnID(), in: ongoing)
        }
        #expect(await stored() == ["user whole: why", "assistant whole: words: storage"])
    }

    @Test func theModelHearsWhatWasSaidBeforeTheQuestionAndNothingLater() async throws {
        let assistant = EarlierTexts()
        let ask = AnswerQuestion(
            assistant: assistant, conversations: repository, device: "desk", wording: \.code, clock: ManualClock())
        _ = try await ask("first", of: TurnID(), in: ongoing)
        try await keep("why")
        _ = try await ask("second", of: TurnID(), in: ongoing)
        _ = try await AnswerWaiting(
            questions, connectivity: ScriptedConnectivity(), answer: ask, clock: ManualClock(), reason: { "\($0)" }
        ).now { _ in }
        #expect(assistant.all.withLock { $0.last } == ["first", "yes"])
    }

    @Test func itIsAskedWhenTheWayIsFreeAgain() async throws {
        let way = ScriptedConnectivity()
        way.set(.noNetwork)
        let waiting = waiting(connectivity: way)
        let (answers, input) = AsyncStream.makeStream(of: String.self)
        let work = Task {
            try await waiting { event in
                if case .answered(let question, _) = event { input.yield(question.text) }
            }
        }
        try await keep("why")
        #expect(try await questions.all().count == 1)
        way.set(nil)
        var iterator = answers.makeAsyncIterator()
        #expect(await iterator.next() == "why")
        try await keep("and then?")
        #expect(await iterator.next() == "and then?")
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func theWaitsBetweenAttemptsGrowToAMinute() async throws {
        let clock = ScriptedClock { _, number in number < 6 }
        try await keep("why")
        let waiting = waiting(offline, events: [], clock: clock)
        let work = Task { try await waiting { _ in } }
        try await eventually { clock.waits.count == 7 }
        work.cancel()
        _ = await work.result
        #expect(clock.waits == [5, 10, 20, 40, 60, 60, 60].map { .seconds($0) })
    }
}

/// Notes the messages before each question.
private final class EarlierTexts: Assistant {
    let all = Mutex<[[String]]>([])

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        all.withLock { $0.append(question.earlier.map(\.text)) }
        return AssistantAnswer(text: "yes", source: .model("scripted"))
    }
}
