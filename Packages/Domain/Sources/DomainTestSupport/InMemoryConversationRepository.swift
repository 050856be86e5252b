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
        let wanted = Self.words(of: words)
        guard !wanted.isEmpty else { return [] }
        let matches = stored.filter { Set(wanted).isSubset(of: Self.words(of: $0.text)) }
        return Array(matches.prefix(max(0, limit)))
    }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { word in
            String(word.compactMap { $0.folded }).lowercased()
        }
    }
}

extension Character {
    /// The character without its accents; canonical equivalence makes a lookup of the base letter enough.
    fileprivate var folded: Character? {
        guard let base = unicodeScalars.first else { return nil }
        if unicodeScalars.count > 1 { return Character(base) }
        return latinBases[self] ?? self
    }
}

/// Precomposed Latin letters and their bases, for the letters that people search with.
private let latinBases: [Character: Character] = {
    var bases: [Character: Character] = [:]
    for (base, accented) in ["a": "àáâãäå", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ", "o": "òóôõö", "u": "ùúûü"] {
        for letter in accented { bases[letter] = Character(base) }
    }
    return bases
}()
