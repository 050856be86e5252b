// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A series of turns that belong together.
public struct Conversation: Identifiable, Hashable, Sendable {
    /// The conversation's name.
    public let id: Identifier<Conversation>
    /// When its first turn began (wall clock, millisecond resolution once stored).
    public let startedAt: Date

    /// Makes a conversation; a new one has a new name.
    public init(id: Identifier<Conversation> = .init(), startedAt: Date) {
        self.id = id
        self.startedAt = startedAt
    }
}

/// What one side said in one turn of a conversation.
public struct Message: Identifiable, Hashable, Sendable {
    /// Who said it.
    public enum Role: String, Sendable, CaseIterable {
        /// The person.
        case user
        /// The program's answer or refusal.
        case assistant
    }

    /// How it was said.
    public enum Modality: String, Sendable, CaseIterable {
        /// Typed and shown.
        case text
        /// Spoken and heard.
        case voice
    }

    /// The message's name; storing the same message twice stores it once.
    public let id: Identifier<Message>
    /// The conversation it belongs to.
    public let conversation: Identifier<Conversation>
    /// The turn it belongs to: a question and its answer share one.
    public let turn: TurnID
    /// Who said it.
    public let role: Role
    /// How it was said.
    public let modality: Modality
    /// The words.
    public let text: String
    /// When it was said (wall clock, millisecond resolution once stored).
    public let createdAt: Date

    /// Makes a message; a new one has a new name.
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

/// Where conversations are kept. Every implementation passes `ConversationRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError/storage(_:)`` or `CancellationError`, and may be called concurrently.
public protocol ConversationRepository: Sendable {
    /// Stores messages, all or none, after those already stored; creates the conversation if it is not there yet.
    ///
    /// When this returns, the messages survive a crash and a power failure. A message whose `id` is already stored is
    /// left as it is.
    func append(_ messages: [Message], to conversation: Conversation) async throws

    /// The conversation of that name, or `nil`.
    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation?

    /// A conversation's messages in the order in which they were stored; empty for an unknown conversation.
    func messages(in id: Identifier<Conversation>) async throws -> [Message]

    /// The `limit` messages of all conversations that were stored last, whatever their times say; the first stored of them
    /// first.
    func recentMessages(limit: Int) async throws -> [Message]

    /// Messages that contain every one of the words (whole words, case and accents ignored), best match first: of two that
    /// contain them as often, the shorter one, and of equal matches the one that was stored first.
    ///
    /// - Parameter words: what a person typed; nothing in it is an operator. Without a word there is no match.
    func search(_ words: String, limit: Int) async throws -> [Message]
}
