// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One side's text in one turn of a conversation.
public struct Message: Identifiable, Hashable, Sendable {
    /// The side that a message is from.
    public enum Role: String, Sendable, CaseIterable {
        /// The person.
        case user
        /// The program's answer or refusal.
        case assistant
        /// A tool: ``Message/toolCall`` has the call, ``Message/text`` the result.
        case tool
    }

    /// The form of a message.
    public enum Modality: String, Sendable, CaseIterable {
        /// Typed and shown.
        case text
        /// Spoken and heard.
        case voice
    }

    /// The completeness of a message.
    public enum State: Hashable, Sendable {
        /// It has its final text.
        case whole
        /// It still grew when it was stored last. A tool's message in this state is a call without a result.
        case partial
        /// It was stopped. `heard` counts the characters of the text that the person heard of a spoken answer; nil for
        /// a typed one.
        case interrupted(heard: Int?)
    }

    /// A call of a tool.
    public struct ToolExchange: Hashable, Sendable {
        /// The id that the model gave the call.
        public var callID: String
        /// The tool's name.
        public var name: String
        /// The arguments as JSON text.
        public var arguments: String
        /// True if the tool reported a failure, or the call was refused.
        public var isError: Bool

        /// Makes the value of a call.
        public init(callID: String, name: String, arguments: String, isError: Bool = false) {
            self.callID = callID
            self.name = name
            self.arguments = arguments
            self.isError = isError
        }
    }

    /// The message's id; storing the same message twice stores it once.
    public let id: Identifier<Message>
    /// The conversation it belongs to.
    public let conversation: Identifier<Conversation>
    /// The turn it belongs to: a question, its answer and the tools between share one.
    public let turn: TurnID
    /// The side that the message is from.
    public let role: Role
    /// The form of the message.
    public let modality: Modality
    /// The words.
    public var text: String
    /// The time of the message (wall clock, millisecond resolution once stored).
    public let createdAt: Date
    /// The completeness of the text.
    public var state: State
    /// The part of the program that an answer comes from; nil for a question, and for what earlier versions stored.
    public var source: AnswerSource?
    /// The name of the machine; nil for what earlier versions stored.
    public var device: String?
    /// The tokens of an answer and their price; nil without a model.
    public var usage: AnswerUsage?
    /// The call whose result this message is; nil unless the role is `tool`.
    public var toolCall: ToolExchange?
    /// The files of a question; empty also where ``ConversationRepository/messages(in:)`` is not what read it.
    public var attachments: [Attachment]

    /// Makes a message, by default a whole one with a new id.
    public init(
        id: Identifier<Message> = .init(), conversation: Identifier<Conversation>, turn: TurnID, role: Role,
        modality: Modality, text: String, createdAt: Date, state: State = .whole, source: AnswerSource? = nil,
        device: String? = nil, usage: AnswerUsage? = nil, toolCall: ToolExchange? = nil,
        attachments: [Attachment] = []
    ) {
        self.id = id
        self.conversation = conversation
        self.turn = turn
        self.role = role
        self.modality = modality
        self.text = text
        self.createdAt = createdAt
        self.state = state
        self.source = source
        self.device = device
        self.usage = usage
        self.toolCall = toolCall
        self.attachments = attachments
    }

    /// True for an answer, whole or in part; false for the words of a refusal or a failure, which have no source. What
    /// earlier versions stored has neither source nor device, and counts as an answer.
    public var isAnswer: Bool { role == .assistant && (source != nil || state != .whole || device == nil) }
}
