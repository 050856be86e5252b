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

/// A conversation as a list shows it.
public struct ConversationSummary: Identifiable, Hashable, Sendable {
    /// The conversation.
    public let conversation: Conversation
    /// The title that the person gave; nil without one, where a list shows ``firstQuestion``.
    public let title: String?
    /// The text of the first message of the role `user`; nil without one.
    public let firstQuestion: String?
    /// The time of the message that was stored last.
    public let updatedAt: Date
    /// The count of messages, those of tools included.
    public let messageCount: Int
    /// True if the person pinned it.
    public let isPinned: Bool

    /// The conversation's id.
    public var id: Identifier<Conversation> { conversation.id }

    /// Makes a summary.
    public init(
        conversation: Conversation, title: String?, firstQuestion: String?, updatedAt: Date, messageCount: Int,
        isPinned: Bool
    ) {
        self.conversation = conversation
        self.title = title
        self.firstQuestion = firstQuestion
        self.updatedAt = updatedAt
        self.messageCount = messageCount
        self.isPinned = isPinned
    }

    /// Summarises a conversation with its messages; nil without any.
    public init?(_ conversation: Conversation, _ messages: [Message], title: String? = nil, isPinned: Bool = false) {
        guard let last = messages.last else { return nil }
        self.init(
            conversation: conversation, title: title, firstQuestion: messages.first { $0.role == .user }?.text,
            updatedAt: last.createdAt, messageCount: messages.count, isPinned: isPinned)
    }
}

/// A position in the list of conversations as it was when its first page was read.
///
/// Stores number their messages; a conversation's position in a list is the number of its last message.
public struct ConversationCursor: Hashable, Sendable, CustomStringConvertible {
    /// The number of the last message of the store when the first page was read. Later messages move nothing.
    public let watermark: Int64
    /// The position of the last conversation of the page before.
    public let position: Int64

    /// The cursor after a conversation.
    public init(watermark: Int64, position: Int64) {
        self.watermark = watermark
        self.position = position
    }

    /// Parses the text form; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let watermark = parts[0], let position = parts[1], position >= 0, position <= watermark
        else { return nil }
        self.init(watermark: watermark, position: position)
    }

    /// The text form: two numbers and "_".
    public var description: String { "\(watermark)_\(position)" }
}

/// A page of the list of conversations.
public struct ConversationPage: Hashable, Sendable {
    /// The conversations, the one with the newest message first.
    public let summaries: [ConversationSummary]
    /// The cursor after the last one; nil at the end of the list.
    public let next: ConversationCursor?

    /// Makes a page.
    public init(summaries: [ConversationSummary], next: ConversationCursor?) {
        self.summaries = summaries
        self.next = next
    }
}
