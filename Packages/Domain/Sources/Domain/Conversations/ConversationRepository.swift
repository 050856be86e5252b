// SPDX-License-Identifier: MIT

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
