// SPDX-License-Identifier: MIT

/// The words that questions are made of, and what each does. What is not here and is no name stays unexplained.
struct Vocabulary {
    /// Word to role.
    let roles: [String: WordRole]
    /// Words that are near to a known one, but are not meant as it.
    let otherWords: Set<String>
    /// Words whose misspellings are understood, with their bytes.
    let correctable: [(word: String, bytes: [UInt8])]

    init() {
        var roles: [String: WordRole] = [:]
        roles.reserveCapacity(2600)
        func add(_ words: StaticString, _ role: WordRole) {
            for word in Self.split(words) { roles[word] = role }
        }
        add(RefusedWordTable.elsewhere, .refused(.elsewhere))
        add(RefusedWordTable.unknownFacts, .refused(.unknownFact))
        add(RefusedWordTable.offices, .refused(.office))
        add(RefusedWordTable.unrelated, .refused(.unrelated))
        add(RefusedWordTable.instructions, .refused(.instruction))
        add(WordTable.context, .context)
        add(WordTable.function, .function)
        for (words, role) in WordTable.roles { add(words, role) }
        self.roles = roles
        otherWords = Set(Self.split(OtherWordTable.words))
        correctable = Self.split(WordTable.correctable).map { ($0, Array($0.utf8)) }
    }

    /// The words of a table: anything above the space is part of one.
    static func split(_ text: StaticString) -> [String] {
        text.withUTF8Buffer { bytes in
            bytes.split { $0 <= 32 }.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
