// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SQLiteWaitingQuestionsTests {
    private let folder: TemporaryFolder
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))

    init() throws { folder = try TemporaryFolder() }

    private func repository() async throws -> SQLiteConversationRepository {
        try await SQLiteConversationRepository(path: folder.file("conversations.sqlite"), damage: .refuse)
    }

    private func question(_ text: String, in conversation: Conversation? = nil) -> WaitingQuestion {
        WaitingQuestion(
            turn: TurnID(), conversation: conversation ?? self.conversation, text: text,
            askedAt: Date(timeIntervalSince1970: 1))
    }

    @Test(arguments: WaitingQuestionsContract.checks)
    func theContractIsKept(_ check: ContractCheck<any WaitingQuestions>) async throws {
        try await check.run(SQLiteWaitingQuestions(try await repository()))
    }

    private static func answerAll(_ program: SQLiteWaitingQuestions, _ asked: Journal) async throws -> Int {
        try await program.answerAll { question in
            asked.note(question.text)
            await disturbOrder(5)
            return .answered
        }
    }

    @Test func twoProgramsAnswerEachQuestionOnce() async throws {
        let programs = [SQLiteWaitingQuestions(try await repository()), SQLiteWaitingQuestions(try await repository())]
        let texts = (0..<30).map { "question \($0)" }
        for (number, text) in texts.enumerated() {
            let other = Conversation(startedAt: conversation.startedAt)
            try await programs[number % 2].keep(question(text, in: other))
        }
        let asked = Journal()
        async let first = Self.answerAll(programs[0], asked)
        async let second = Self.answerAll(programs[1], asked)
        let counts = try await first + second
        #expect(counts == 30)
        #expect(asked.entries.sorted() == texts.sorted())
    }

    @Test func theQuestionOfAProgramThatDiesWaitsAgainAfterItsLease() async throws {
        let time = ManualOutboxTime()
        let other = SQLiteWaitingQuestions(try await repository(), clock: time.clock)
        let dying = SQLiteWaitingQuestions(try await repository(), clock: time.clock)
        try await dying.keep(question("why"))
        // As after a kill: the program never says how it ended.
        let hasIt = Promise<Void>()
        let dead = Task {
            try await dying.answerAll { _ in
                hasIt.resolve()
                await untilCancelled()
                return .answered
            }
        }
        try await hasIt.value()
        #expect(try await other.answerAll { _ in .answered } == 0)
        #expect(try await other.all().map(\.stage) == [.inProgress])
        time.advance(16)
        let asked = Journal()
        let count = try await other.answerAll { question in
            asked.note(question.text)
            return .answered
        }
        #expect(count == 1 && asked.entries == ["why"])
        dead.cancel()
        _ = await dead.result
        #expect(try await other.all().isEmpty, "the one that came too late changes nothing")
    }

    @Test func aQuestionSurvivesTheProgramWhole() async throws {
        let asked = WaitingQuestion(
            turn: TurnID(), conversation: conversation, text: "why?", modality: .voice,
            askedAt: Date(timeIntervalSince1970: 1_700_000_000.25))
        let first = try await repository()
        try await SQLiteWaitingQuestions(first).keep(asked)
        await first.close()
        #expect(try await SQLiteWaitingQuestions(try await repository()).all().map(\.question) == [asked])
    }

    @Test func whoDeletesAConversationGivesItsQuestionsUp() async throws {
        let store = try await repository()
        let questions = SQLiteWaitingQuestions(store)
        let other = Conversation(startedAt: conversation.startedAt)
        let kept = [question("a"), question("b", in: other), question("c", in: other), question("d", in: other)]
        for question in kept { try await questions.keep(question) }
        _ = try await store.delete(conversation.id)
        #expect(try await questions.all().map(\.question.text) == ["b", "c", "d"])
        _ = try await store.delete([kept[2].turn])
        #expect(try await questions.all().map(\.question.text) == ["b", "d"])
        _ = try await store.deleteAll()
        #expect(try await questions.all().isEmpty)
    }
}
