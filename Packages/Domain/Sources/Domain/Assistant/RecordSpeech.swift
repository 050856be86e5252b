// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Stores a conversation by voice with a model that hears and speaks by itself: each question, call and answer as it
/// ends. What follows a question, up to the next one, is its turn.
public actor RecordSpeech {
    private let conversations: any ConversationRepository
    private let device: String?
    private let now: @Sendable () -> Date
    private let ongoing: OngoingConversation
    private var turn = TurnID()

    /// Makes the use case for one conversation.
    ///
    /// - Parameter device: The name of this machine.
    public init(
        _ ongoing: OngoingConversation, storingIn conversations: any ConversationRepository, device: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.ongoing = ongoing
        self.conversations = conversations
        self.device = device
        self.now = now
    }

    /// Stores what the person said.
    ///
    /// - Throws: `DomainError.storage(_:)`.
    public func asked(_ text: String) async throws {
        guard !text.isEmpty else { return }
        turn = TurnID()
        try await store(.user, text)
    }

    /// Stores an answer.
    ///
    /// - Parameters:
    ///   - text: The words; of one that was cut off, those that were heard.
    ///   - isInterrupted: True if it was cut off.
    ///   - model: The model that gave it.
    /// - Throws: `DomainError.storage(_:)`.
    public func answered(_ text: String, isInterrupted: Bool, by model: String) async throws {
        guard !text.isEmpty else { return }
        try await store(
            .assistant, text, state: isInterrupted ? .interrupted(heard: text.count) : .whole, source: .model(model))
    }

    /// Stores the call of a tool that has ended or was refused; other events leave no trace.
    ///
    /// - Throws: `DomainError.storage(_:)`.
    public func took(_ event: AnswerEvent) async throws {
        switch event {
        case .toolReturned(let use, let output, let isError, _): try await store(use, output, isError: isError)
        case .toolRefused(let use, let refusal):
            try await store(use, "The call was not allowed: \(refusal.reason)", isError: true)
        default: break
        }
    }

    private func store(_ use: ToolUse, _ output: String, isError: Bool) async throws {
        let call = Message.ToolExchange(callID: use.id, name: use.name, arguments: use.arguments, isError: isError)
        try await store(.tool, output, source: .tool(use.name), call: call)
    }

    private func store(
        _ role: Message.Role, _ text: String, state: Message.State = .whole, source: AnswerSource? = nil,
        call: Message.ToolExchange? = nil
    ) async throws {
        let message = Message(
            conversation: ongoing.conversation.id, turn: turn, role: role, modality: .voice, text: text,
            createdAt: now(), state: state, source: source, device: device, toolCall: call)
        try await conversations.append([message], to: ongoing.conversation)
        await ongoing.note([message])
    }
}
