// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct AnswerQuestionTests {
    private let journal = Journal()
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
    private let ongoing: OngoingConversation
    private let turn = TurnID()
    private let now = Date(timeIntervalSince1970: 1_000)

    init() { ongoing = OngoingConversation(conversation) }

    private func useCase(
        failure: (any Error)? = nil, appendsBeforeFailure: Int = .max, failures: Int = .max, events: [AnswerEvent] = []
    ) -> (answer: AnswerQuestion, repository: ScriptedConversationRepository) {
        let repository = ScriptedConversationRepository(
            journal: journal, appendsBeforeFailure: appendsBeforeFailure, failures: failures)
        let assistant = ScriptedAssistant(journal: journal, events: events, failure: failure)
        let now = now
        return (
            AnswerQuestion(
                assistant: assistant, conversations: repository, device: "desk", wording: { "refused: \($0.code)" },
                clock: ManualClock(), now: { now }),
            repository
        )
    }

    @Test func questionAndAnswerAreStoredTogether() async throws {
        let (answer, repository) = useCase()
        let given = try await answer("capital of Texas", of: turn, in: ongoing)
        #expect(given == ScriptedAssistant.answer)
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["capital of Texas", given.text])
        #expect(stored.map(\.role) == [.user, .assistant])
        #expect(stored.allSatisfy { $0.turn == turn && $0.modality == .text && $0.createdAt == now })
        #expect(try await repository.conversation(conversation.id) == conversation)
        #expect(stored.map(\.source) == [nil, .states])
        #expect(stored.allSatisfy { $0.device == "desk" && $0.state == .whole })
        #expect(await ongoing.messages == stored)
    }

    @Test func aRefusalIsStoredThenThrown() async throws {
        let (answer, repository) = useCase(failure: DomainError.invalidQuery)
        await #expect(throws: DomainError.invalidQuery) {
            try await answer("capital of France", of: turn, in: ongoing)
        }
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["capital of France", "refused: invalidQuery"])
    }

    @Test(arguments: ["", "  \n\t"])
    func anEmptyQuestionStoresNothing(_ question: String) async throws {
        let (answer, _) = useCase()
        await #expect(throws: DomainError.emptyQuery) { try await answer(question, of: turn, in: ongoing) }
        #expect(journal.entries.isEmpty)
    }

    @Test func theLimitIsInCharacters() async throws {
        let (answer, _) = useCase()
        let limit = AnswerQuestion.questionLimit
        _ = try await answer(String(repeating: "👨‍👩‍👧", count: limit), of: turn, in: ongoing)
        let entries = journal.entries.count
        await #expect(throws: DomainError.queryTooLong(limit: limit)) {
            try await answer(String(repeating: "a", count: limit + 1), of: turn, in: ongoing)
        }
        #expect(journal.entries.count == entries)
    }

    @Test func `minutes of speech are a question`() async throws {
        let (answer, _) = useCase()
        func ask(_ count: Int) async throws {
            let listener = ScriptedListener(script: .hears(String(repeating: "a", count: count)))
            let hold = HoldSpokenTurn(listener: listener, speaker: ScriptedSpeaker(), answerQuestion: answer)
            try await hold(TurnID(), in: ongoing) { _ in }
        }
        let limit = AnswerQuestion.spokenQuestionLimit
        try await ask(limit)
        await #expect(throws: DomainError.queryTooLong(limit: limit)) { try await ask(limit + 1) }
    }

    @Test func withoutStorageThereIsNoAnswer() async throws {
        let (answer, repository) = useCase(appendsBeforeFailure: 0)
        await #expect(throws: DomainError.storage("The disk is full; free some space.")) {
            try await answer("capital of Texas", of: turn, in: ongoing)
        }
        #expect(try await repository.messages(in: conversation.id).isEmpty)
    }

    @Test func cancellationPassesUntouchedAndStoresNothing() async throws {
        let (answer, repository) = useCase(failure: CancellationError())
        await #expect(throws: CancellationError.self) {
            try await answer("capital of Texas", of: turn, in: ongoing)
        }
        #expect(try await repository.messages(in: conversation.id).isEmpty)
    }

    @Test func theConversationSoFarComesWithTheQuestion() async throws {
        let asked = AskedQuestions()
        let answer = AnswerQuestion(
            assistant: ClosureAssistant { question, _ in
                asked.all.withLock { $0.append(question.earlier.map(\.text)) }
            }, conversations: InMemoryConversationRepository(),
            wording: \.code)
        _ = try await answer("capital of Ohio", of: TurnID(), in: ongoing)
        _ = try await answer("And Texas?", of: TurnID(), in: ongoing)
        #expect(asked.all.withLock { $0 } == [[], ["capital of Ohio", "answer"]])
    }

    // MARK: Answers that grow

    @Test func anAnswerThatGrowsIsStoredWithItsFirstPieceAndBehindEachThousandBytes() async throws {
        let piece = String(repeating: "a", count: 400)
        let (answer, repository) = useCase(
            failure: DomainError.offline("gone"), events: (1...6).map { .delta("\($0)" + piece) })
        let seen = Counts()
        await #expect(throws: DomainError.offline("gone")) {
            _ = try await answer("tell me", of: turn, in: ongoing) { _ in
                let stored = try await repository.messages(in: conversation.id)
                if stored.count > 1 { #expect(stored[1].state == .partial) }
                seen.all.withLock { $0.append(stored.count > 1 ? stored[1].text.utf8.count : 0) }
            }
        }
        #expect(seen.all.withLock { $0 } == [401, 401, 401, 1_604, 1_604, 1_604])
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.role) == [.user, .assistant])
        #expect(stored[1].text.utf8.count == 2_406)
        #expect(stored[1].state == .interrupted(heard: nil))
    }

    @Test func aSecondIsTheLongestTimeForWhichSomethingIsNotStored() async throws {
        let clock = ManualClock()
        let repository = ScriptedConversationRepository(journal: journal)
        let answer = AnswerQuestion(
            assistant: ScriptedAssistant(
                journal: journal, events: [.delta("It"), .delta(" is")], waitsBehindEvents: true),
            conversations: repository, wording: \.code, clock: clock)
        let task = Task { try await answer("tell me", of: turn, in: ongoing) }
        try await eventually { journal.position("reported all") != nil && clock.remaining == [.seconds(1)] }
        #expect(try await repository.messages(in: conversation.id).map(\.text) == ["tell me", "It"])
        clock.advance(by: .seconds(1))
        try await eventually { journal.position("stored assistant It is") != nil }
        #expect(try await repository.messages(in: conversation.id).map(\.state) == [.whole, .partial])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["tell me", "It is"])
        #expect(stored[1].state == .interrupted(heard: nil))
    }

    @Test(arguments: [false, true])
    func `files that come after their question was stored are stored with it`(isOnItsWay: Bool) async throws {
        let (clock, attached) = (ManualClock(), AsyncStream.makeStream(of: Void.self))
        let repository = ScriptedConversationRepository(journal: journal) { [journal] in
            journal.note("storing")
            if isOnItsWay { for await _ in attached.stream {} }
        }
        let files = [Attachment(name: "a.txt", bytes: [1])]
        let assistant = ClosureAssistant { [journal] _, report in
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            try await eventually { journal.position(isOnItsWay ? "storing" : "stored user") != nil }
            try await report(.attached(files))
            attached.continuation.finish()
            try await report(.delta("It is"))
        }
        let answer = AnswerQuestion(
            assistant: assistant, conversations: repository, wording: \.code, clock: clock)
        _ = try await answer("tell me", of: turn, in: ongoing)
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["tell me", "answer"])
        #expect(stored.map(\.attachments) == [files, []])
        #expect(await ongoing.messages == stored)
    }

    @Test func toolsAreStoredWithTheirResults() async throws {
        let add = ToolUse(id: "1", name: "add", arguments: #"{"a":1}"#)
        let remove = ToolUse(id: "2", name: "rm", arguments: "{}")
        let (answer, repository) = useCase(events: [
            .toolCalled(add), .toolReturned(add, output: "2", isError: false, took: .zero),
            .toolCalled(remove), .toolRefused(remove, .declined), .delta("Two."),
        ])
        let given = try await answer("add one", of: turn, in: ongoing)
        #expect(given.text == "Two.")
        let stored = try await repository.messages(in: conversation.id)
        #expect(
            stored.map(\.text) == ["add one", "2", "The call was not allowed: the person does not allow it.", "Two."])
        #expect(stored.map(\.role) == [.user, .tool, .tool, .assistant])
        #expect(
            stored[1].toolCall == Message.ToolExchange(callID: "1", name: "add", arguments: #"{"a":1}"#, isError: false)
        )
        #expect(stored[2].toolCall?.isError == true)
        #expect(stored[3].source == .model("scripted"))
        #expect(stored.allSatisfy { $0.turn == turn })
    }

    @Test func aCallIsStoredBeforeItIsMade() async throws {
        let repository = ScriptedConversationRepository(journal: journal)
        let answer = AnswerQuestion(
            assistant: ScriptedAssistant(
                journal: journal, events: [.toolCalled(ToolUse(id: "1", name: "dig", arguments: "{}"))],
                waitsBehindEvents: true),
            conversations: repository, wording: \.code, clock: ManualClock())
        let task = Task { try await answer("dig", of: turn, in: ongoing) }
        try await eventually { journal.position("reported all") != nil }
        #expect(journal.position("stored tool") != nil)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.role) == [.user, .tool])
        #expect(stored[1].state == .partial && stored[1].toolCall?.name == "dig")
    }

    @Test func `what could not be stored at first is stored with the end`() async throws {
        let (answer, repository) = useCase(
            appendsBeforeFailure: 0, failures: 1, events: [.delta("It is"), .delta(" hot.")])
        await #expect(throws: DomainError.storage("The disk is full; free some space.")) {
            try await answer("tell me", of: turn, in: ongoing)
        }
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["tell me", "It is"])
        #expect(stored.last?.state == .interrupted(heard: nil))
        #expect(await ongoing.messages == stored)
    }

    @Test func whatCannotBeStoredEndsTheAnswer() async throws {
        let (answer, _) = useCase(
            appendsBeforeFailure: 0, events: [.delta(String(repeating: "a", count: 2_000)), .delta("b")])
        let pieces = Counts()
        await #expect(throws: DomainError.storage("The disk is full; free some space.")) {
            _ = try await answer("tell me", of: turn, in: ongoing) { _ in pieces.all.withLock { $0.append(1) } }
        }
        #expect(pieces.all.withLock { $0 } == [])
    }
}

private final class Counts: Sendable {
    let all = Mutex<[Int]>([])
}

/// The messages before each question.
private final class AskedQuestions: Sendable {
    let all = Mutex<[[String]]>([])
}

/// Answers when a test's closure has returned.
private struct ClosureAssistant: Assistant {
    let body: @Sendable (AssistantQuestion, @Sendable (AnswerEvent) async throws -> Void) async throws -> Void

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        try await body(question, report)
        return AssistantAnswer(text: "answer", source: .states)
    }
}
