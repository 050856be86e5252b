// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A series of turns that belong together.
public struct Conversation: Identifiable, Hashable, Sendable {
    /// The conversation's id.
    public let id: Identifier<Conversation>
    /// The start of its first turn (wall clock, millisecond resolution once stored).
    public let startedAt: Date

    /// Makes a conversation, by default with a new id.
    public init(id: Identifier<Conversation> = .init(), startedAt: Date) {
        self.id = id
        self.startedAt = startedAt
    }
}

/// One side's text in one turn of a conversation.
public struct Message: Identifiable, Hashable, Sendable {
    /// The side that a message is from.
    public enum Role: String, Sendable, CaseIterable {
        /// The person.
        case user
        /// The program's answer or refusal.
        case assistant
    }

    /// The form of a message.
    public enum Modality: String, Sendable, CaseIterable {
        /// Typed and shown.
        case text
        /// Spoken and heard.
        case voice
    }

    /// The message's id; storing the same message twice stores it once.
    public let id: Identifier<Message>
    /// The conversation it belongs to.
    public let conversation: Identifier<Conversation>
    /// The turn it belongs to: a question and its answer share one.
    public let turn: TurnID
    /// The side that the message is from.
    public let role: Role
    /// The form of the message.
    public let modality: Modality
    /// The words.
    public let text: String
    /// The time of the message (wall clock, millisecond resolution once stored).
    public let createdAt: Date

    /// Makes a message, by default with a new id.
    public init(
        id: Identifier<Message> = .init(), conversation: Identifier<Conversation>, turn: TurnID, role: Role,
        modality: Modality, text: String, createdAt: Date
    ) {
        self.id = id
        self.conversation = conversation
        self.turn = turn
        self.role = role
        self.modality = modality
        self.text = text
        self.createdAt = createdAt
    }
}

/// A store of conversations. Every implementation passes `ConversationRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError/storage(_:)`` or `CancellationError`, and may be called concurrently.
public protocol ConversationRepository: Sendable {
    /// Stores messages, all or none, after those already stored; creates the conversation if it is missing.
    ///
    /// When this returns, the messages survive a crash and a power failure. A message whose `id` is already stored is
    /// left as it is.
    func append(_ messages: [Message], to conversation: Conversation) async throws

    /// The conversation with that id; nil if it is missing.
    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation?

    /// A conversation's messages in the order in which they were stored; empty for an unknown conversation.
    func messages(in id: Identifier<Conversation>) async throws -> [Message]

    /// The `limit` messages of all conversations that were stored last, whatever their times are, in the order of
    /// storing.
    func recentMessages(limit: Int) async throws -> [Message]

    /// Messages that contain every one of the words (whole words, case and accents ignored), best match first: of two
    /// that contain them as often, the shorter one, and of equal matches the one that was stored first.
    ///
    /// - Parameter words: Text that a person typed; nothing in it is an operator. Without a word there is no match.
    func search(_ words: String, limit: Int) async throws -> [Message]
}
