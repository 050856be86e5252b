// SPDX-License-Identifier: MIT

public import FoundationEssentials

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
