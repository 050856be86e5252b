// SPDX-License-Identifier: MIT

/// Answers questions: local intents, the knowledge about US states, a model, or several of them in an order. Every
/// implementation passes `AssistantContract` in `DomainTestSupport`.
public protocol Assistant: Sendable {
    /// Answers a question, and reports on the way. May be called concurrently.
    ///
    /// `report` gets the answer as it grows, if it does: the deltas together are then the answer's text. An error that it
    /// throws ends the answer and is thrown.
    ///
    /// - Throws: ``DomainError/invalidQuery`` if this assistant does not answer such questions; it never guesses;
    ///   ``DomainError/generationFailed(_:)`` for one that it should answer and cannot; another ``DomainError``;
    ///   `CancellationError`.
    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer

    /// The answer to a question that nobody has asked yet and perhaps nobody will; nil unless it can be told for nothing
    /// and without an effect: no tool is called, no request is made, nothing is set and nothing is stored.
    func foresee(_ question: AssistantQuestion) async -> AssistantAnswer?
}

extension Assistant {
    /// Foresees nothing.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? { nil }
}

/// A question with what was said before it.
public struct AssistantQuestion: Sendable, Hashable {
    /// The words.
    public let text: String
    /// The turn that begins with it.
    public let turn: TurnID
    /// The conversation that it belongs to.
    public let conversation: Identifier<Conversation>
    /// The form of question and answer.
    public let modality: Message.Modality
    /// The conversation before it, in order.
    public let earlier: [Message]
    /// The person's situation, as far as they allow it to be read; nil while they allow nothing.
    public var context: UserContext?
    /// True if a model may get ``context``.
    public var sharesContext = false

    /// A question, by default the first of a conversation.
    public init(
        _ text: String, turn: TurnID = TurnID(), conversation: Identifier<Conversation> = .init(),
        modality: Message.Modality = .text, earlier: [Message] = []
    ) {
        self.text = text
        self.turn = turn
        self.conversation = conversation
        self.modality = modality
        self.earlier = earlier
    }

    /// The questions before it, the last one first.
    public var earlierQuestions: some Sequence<String> {
        earlier.reversed().lazy.filter { $0.role == .user }.map(\.text)
    }
}
