// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// A ``ConversationRepository`` that forgets everything when it is released.
public actor InMemoryConversationRepository: ConversationRepository {
    private var conversations: [Identifier<Conversation>: Conversation] = [:]
    private var stored: [Message] = []

    /// Makes an empty repository.
    public init() {}

    /// See ``ConversationRepository``.
    public func append(_ messages: [Message], to conversation: Conversation) throws {
        try Task.checkCancellation()
        conversations[conversation.id] = conversations[conversation.id] ?? conversation
        for message in messages where !stored.contains(where: { $0.id == message.id }) {
            stored.append(message)
        }
    }

    /// See ``ConversationRepository``.
    public func conversation(_ id: Identifier<Conversation>) -> Conversation? {
        conversations[id]
    }

    /// See ``ConversationRepository``.
    public func messages(in id: Identifier<Conversation>) -> [Message] {
        stored.filter { $0.conversation == id }
    }

    /// See ``ConversationRepository``.
    public func recentMessages(limit: Int) -> [Message] {
        Array(stored.suffix(max(0, limit)))
    }

    /// See ``ConversationRepository``.
    public func search(_ words: String, limit: Int) -> [Message] {
        let wanted = SearchedWords(words)
        let ranked = stored.enumerated().map { (rank: wanted.share(of: $1.text), index: $0, message: $1) }
        let matches = ranked.filter { $0.rank > 0 }.sorted { ($1.rank, $0.index) < ($0.rank, $1.index) }
        return matches.prefix(max(0, limit)).map(\.message)
    }
}
