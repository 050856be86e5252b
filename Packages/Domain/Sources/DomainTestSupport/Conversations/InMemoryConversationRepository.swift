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

/// The words of a search, and their search in fakes: whole words, case and accents ignored.
struct SearchedWords {
    private let words: Set<String>

    init(_ text: String) { words = Self.words(of: text) }

    /// True if a text contains each of the words, and there is at least one.
    func areAll(in text: String) -> Bool { !words.isEmpty && words.isSubset(of: Self.words(of: text)) }

    /// The share of a text's words that are searched words, from 0 to 1; 0 unless the text contains each of them.
    func share(of text: String) -> Double {
        guard areAll(in: text) else { return 0 }
        let all = Self.list(of: text)
        return Double(all.count { words.contains($0) }) / Double(all.count)
    }

    private static func words(of text: String) -> Set<String> { Set(list(of: text)) }

    private static func list(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { String($0.compactMap(\.folded)).lowercased() }
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
