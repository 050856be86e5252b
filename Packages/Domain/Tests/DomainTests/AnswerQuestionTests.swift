// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct AnswerQuestionTests {
    private let journal = Journal()
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
    private let turn = TurnID()
    private let now = Date(timeIntervalSince1970: 1_000)

    private func useCase(
        failure: (any Error)? = nil, appendsBeforeFailure: Int = .max
    ) -> (answer: AnswerQuestion, repository: ScriptedConversationRepository) {
        let repository = ScriptedConversationRepository(journal: journal, appendsBeforeFailure: appendsBeforeFailure)
        let answerer = ScriptedAnswerer(journal: journal, failure: failure)
        let now = now
        return (
            AnswerQuestion(
                answerer: answerer, conversations: repository, wording: { "refused: \($0.code)" }, now: { now }),
            repository
        )
    }

    @Test func questionAndAnswerAreStoredTogether() async throws {
        let (answer, repository) = useCase()
        let given = try await answer("capital of Texas", of: turn, in: conversation)
        #expect(given == ScriptedAnswerer.answer)
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["capital of Texas", given.text])
        #expect(stored.map(\.role) == [.user, .assistant])
        #expect(stored.allSatisfy { $0.turn == turn && $0.modality == .text && $0.createdAt == now })
        #expect(try await repository.conversation(conversation.id) == conversation)
    }

    @Test func aRefusalIsStoredThenThrown() async throws {
        let (answer, repository) = useCase(failure: DomainError.invalidQuery)
        await #expect(throws: DomainError.invalidQuery) {
            try await answer("capital of France", of: turn, in: conversation)
        }
        let stored = try await repository.messages(in: conversation.id)
        #expect(stored.map(\.text) == ["capital of France", "refused: invalidQuery"])
    }

    @Test(arguments: ["", "  \n\t"])
    func anEmptyQuestionStoresNothing(_ question: String) async throws {
        let (answer, _) = useCase()
        await #expect(throws: DomainError.emptyQuery) { try await answer(question, of: turn, in: conversation) }
        #expect(journal.entries.isEmpty)
    }

    @Test func theLimitIsInCharacters() async throws {
        let (answer, _) = useCase()
        let limit = AnswerQuestion.questionLimit
        _ = try await answer(String(repeating: "👨‍👩‍👧", count: limit), of: turn, in: conversation)
        let entries = journal.entries.count
        await #expect(throws: DomainError.queryTooLong(limit: limit)) {
            try await answer(String(repeating: "a", count: limit + 1), of: turn, in: conversation)
        }
        #expect(journal.entries.count == entries)
    }

    @Test func withoutStorageThereIsNoAnswer() async throws {
        let (answer, repository) = useCase(appendsBeforeFailure: 0)
        await #expect(throws: DomainError.storage("The disk is full; free some space.")) {
            try await answer("capital of Texas", of: turn, in: conversation)
        }
        #expect(try await repository.messages(in: conversation.id).isEmpty)
    }

    @Test func cancellationPassesUntouchedAndStoresNothing() async throws {
        let (answer, repository) = useCase(failure: CancellationError())
        await #expect(throws: CancellationError.self) {
            try await answer("capital of Texas", of: turn, in: conversation)
        }
        #expect(try await repository.messages(in: conversation.id).isEmpty)
    }
}
