// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Answers one question and stores the question and its answer.
public struct AnswerQuestion: Sendable {
    /// The longest accepted question, in characters.
    public static let questionLimit = 500

    private let answerer: any QuestionAnswerer
    private let conversations: any ConversationRepository
    /// Makes the text for a person from an error.
    let wording: @Sendable (DomainError) -> String
    private let now: @Sendable () -> Date

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - wording: Makes the text of an error, which is stored, shown and spoken in place of an answer.
    ///   - now: The wall clock.
    public init(
        answerer: any QuestionAnswerer, conversations: any ConversationRepository,
        wording: @escaping @Sendable (DomainError) -> String, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.answerer = answerer
        self.conversations = conversations
        self.wording = wording
        self.now = now
    }

    /// Answers a typed question. Question and answer (or refusal) are stored, both or neither, before this returns.
    ///
    /// - Throws: ``DomainError/emptyQuery`` and ``DomainError/queryTooLong(limit:)`` (nothing is stored),
    ///   ``DomainError/invalidQuery`` or ``DomainError/generationFailed(_:)`` (stored), ``DomainError/storage(_:)`` (an
    ///   answer that could not be stored is not returned), `CancellationError`.
    public func callAsFunction(
        _ question: String, of turn: TurnID, in conversation: Conversation
    ) async throws -> StateAnswer {
        let asked = message(.user, question, of: turn, in: conversation, modality: .text)
        return try await answer(question, storing: [asked], of: turn, in: conversation, modality: .text)
    }

    /// Answers a spoken question: its words are stored, then reported, then answered; the answer is stored before this
    /// returns.
    func callAsFunction(
        spoken question: Transcript, of turn: TurnID, in conversation: Conversation,
        report: @Sendable (TurnEvent) async -> Void
    ) async throws -> StateAnswer {
        let asked = message(.user, question.text, of: turn, in: conversation, modality: .voice)
        try await conversations.append([asked], to: conversation)
        await report(.transcript(question))
        let answer = try await answer(question.text, storing: [], of: turn, in: conversation, modality: .voice)
        await report(.reached(.answerReady, at: .now))
        return answer
    }

    private func answer(
        _ question: String, storing earlier: [Message], of turn: TurnID, in conversation: Conversation,
        modality: Message.Modality
    ) async throws -> StateAnswer {
        guard question.contains(where: { !$0.isWhitespace }) else { throw DomainError.emptyQuery }
        guard question.count <= Self.questionLimit else {
            throw DomainError.queryTooLong(limit: Self.questionLimit)
        }
        let outcome: Result<StateAnswer, DomainError>
        do {
            outcome = .success(try await answerer.answer(question))
        } catch let error as DomainError {
            outcome = .failure(error)
        }
        let said =
            switch outcome {
            case .success(let answer): answer.text
            case .failure(let error): wording(error)
            }
        let reply = message(.assistant, said, of: turn, in: conversation, modality: modality)
        try await conversations.append(earlier + [reply], to: conversation)
        return try outcome.get()
    }

    private func message(
        _ role: Message.Role, _ text: String, of turn: TurnID, in conversation: Conversation,
        modality: Message.Modality
    ) -> Message {
        Message(
            conversation: conversation.id, turn: turn, role: role, modality: modality, text: text, createdAt: now())
    }
}
