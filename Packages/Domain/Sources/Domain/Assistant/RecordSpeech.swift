// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Stores a conversation by voice with a model that hears and speaks by itself: each question, call and answer as it
/// ends. What follows a question, up to the next one, is its turn.
public actor RecordSpeech {
    private let conversations: any ConversationRepository
    private let device: String?
    private let now: @Sendable () -> Date
    private let statistics: (any TurnStatistics)?
    private let ongoing: OngoingConversation
    private var turn = TurnID()
    /// The time of the turn's question; nil if it has none.
    private var askedAt: Date?
    /// The last answer of the turn.
    private var answer: Message?
    /// The tokens of the conversation so far.
    private var total = AnswerUsage.none
    /// The tokens that belong to no answer yet: those of the next one.
    private var unassigned = AnswerUsage.none

    /// Makes the use case for one conversation.
    ///
    /// - Parameters:
    ///   - device: The name of this machine.
    ///   - statistics: Gets each question that is answered; its errors cost nothing.
    public init(
        _ ongoing: OngoingConversation, storingIn conversations: any ConversationRepository, device: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, statistics: (any TurnStatistics)? = nil
    ) {
        self.statistics = statistics
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
        (turn, answer, askedAt) = (TurnID(), nil, now())
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
        let usage = unassigned == .none ? nil : unassigned
        unassigned = .none
        answer = try await store(
            .assistant, text, state: isInterrupted ? .interrupted(heard: text.count) : .whole, source: .model(model),
            usage: usage)
        guard let askedAt else { return }
        try? await statistics?.note(
            TurnMeasurement(turn: turn, startedAt: askedAt, modality: .voice, outcome: .answered), at: now())
    }

    /// Leaves the tokens so far to others: those of a conversation that was typed before.
    public func count(from total: AnswerUsage) { self.total = total }

    /// Stores tokens with the answer of the turn, or if it has none yet with the next one.
    ///
    /// - Parameter total: The tokens of the whole conversation so far.
    /// - Throws: `DomainError.storage(_:)`.
    public func spent(_ total: AnswerUsage) async throws {
        unassigned = unassigned + total.since(self.total)
        self.total = total
        guard var answer, unassigned != .none else { return }
        answer.usage = (answer.usage ?? .none) + unassigned
        (self.answer, unassigned) = (answer, .none)
        try await conversations.save(answer, in: ongoing.conversation)
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

    @discardableResult
    private func store(
        _ role: Message.Role, _ text: String, state: Message.State = .whole, source: AnswerSource? = nil,
        usage: AnswerUsage? = nil, call: Message.ToolExchange? = nil
    ) async throws -> Message {
        var message = Message(
            conversation: ongoing.conversation.id, turn: turn, role: role, modality: .voice, text: text,
            createdAt: now(), state: state, source: source, device: device, toolCall: call)
        message.usage = usage
        try await conversations.append([message], to: ongoing.conversation)
        await ongoing.note([message])
        return message
    }
}
