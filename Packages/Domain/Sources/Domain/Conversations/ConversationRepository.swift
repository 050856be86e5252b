// SPDX-License-Identifier: MIT

/// A store of conversations. Every implementation passes `ConversationRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError/storage(_:)`` or `CancellationError`, and may be called concurrently. When a method
/// that stores or deletes returns, its change survives a crash and a power failure; one that throws changed nothing.
public protocol ConversationRepository: Sendable {
    /// Stores messages, all or none, after those already stored; creates the conversation if it is missing. A message
    /// whose `id` is already stored is left as it is.
    func append(_ messages: [Message], to conversation: Conversation) async throws

    /// Stores a message after those already stored, and creates the conversation if it is missing. A message whose `id`
    /// is already stored keeps its position, and its attachments unless this one has some; it takes over the variable
    /// parts: text, state, source and so on.
    func save(_ message: Message, in conversation: Conversation) async throws

    /// The conversation with that id; nil if it is missing.
    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation?

    /// A conversation's messages in the order in which they were first stored, with their attachments, which nothing else
    /// reads; empty for an unknown conversation.
    func messages(in id: Identifier<Conversation>) async throws -> [Message]

    /// The `limit` messages of all conversations that were stored last, whatever their times are, in the order of
    /// storing.
    func recentMessages(limit: Int) async throws -> [Message]

    /// Messages that contain every one of the words (whole words, case and accents ignored), best match first: of two
    /// that contain them as often, the shorter one, and of equal matches the one that was stored first.
    ///
    /// - Parameter words: Text that a person typed; nothing in it is an operator. Without a word there is no match.
    func search(_ words: String, limit: Int) async throws -> [Message]

    /// A page of the conversations, the one with the newest message first. A conversation without messages is left out.
    ///
    /// The pages that follow show the order in which the first one was read: each conversation that is in the list from
    /// the first page to the last is on exactly one page, whatever is stored, added or deleted meanwhile, except that
    /// one whose last turn is deleted alone may appear twice. What is added after the first page is on none.
    ///
    /// - Parameters:
    ///   - pinned: True for the pinned ones only, false for the others only, nil for all.
    ///   - after: The cursor of the page before; nil for the first page.
    ///   - limit: The most conversations of the page, at least 1.
    func summaries(pinned: Bool?, after: ConversationCursor?, limit: Int) async throws -> ConversationPage

    /// The summary of the conversation with that id; nil if it is missing or has no messages.
    func summary(_ id: Identifier<Conversation>) async throws -> ConversationSummary?

    /// Gives a conversation a title, or with nil takes it away.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` for an unknown conversation.
    func rename(_ id: Identifier<Conversation>, to title: String?) async throws

    /// Pins a conversation, or ends that.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` for an unknown conversation.
    func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) async throws

    /// Deletes a conversation with its messages, whose words leave the index of the search, too.
    ///
    /// - Returns: The number of deleted messages; 0 for an unknown conversation.
    func delete(_ id: Identifier<Conversation>) async throws -> Int

    /// Deletes turns, each with all its messages, and the conversations that are then empty.
    ///
    /// - Returns: The number of deleted messages.
    func delete(_ turns: Set<TurnID>) async throws -> Int

    /// Deletes every conversation; returns the number of messages.
    func deleteAll() async throws -> Int
}
