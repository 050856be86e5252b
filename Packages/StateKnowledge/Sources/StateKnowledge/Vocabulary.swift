// SPDX-License-Identifier: MIT

/// The words of questions with their roles. A word that is neither here nor a name stays unexplained.
struct Vocabulary {
    /// Word to role.
    let roles: [String: WordRole]
    /// Words that are near to a known one, but are never its misspelling. Made when the first unknown word is met.
    var otherWords: Set<String> { OtherWordTable.set }

    /// Refused words that may stand in the frame of a question.
    let everyday: Set<String>

    init() {
        var roles: [String: WordRole] = [:]
        roles.reserveCapacity(2600)
        func add(_ words: StaticString, _ role: WordRole) {
            Self.forEachWord(words) { roles[$0] = role }
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
        var everyday: Set<String> = []
        Self.forEachWord(RefusedWordTable.everyday) { everyday.insert($0) }
        self.everyday = everyday
    }

    /// Calls `body` with each word of a table; every byte above the space is part of a word.
    static func forEachWord(_ text: StaticString, _ body: (String) -> Void) {
        text.withUTF8Buffer { bytes in
            var start = 0
            for end in 0...bytes.count where end == bytes.count || bytes[end] <= 32 {
                if end > start { body(String(decoding: bytes[start..<end], as: UTF8.self)) }
                start = end + 1
            }
        }
    }

    /// Words whose misspellings are understood, with their bytes. Made when the first unknown word is met.
    static let correctable: [(word: String, bytes: [UInt8])] = {
        var words: [(word: String, bytes: [UInt8])] = []
        forEachWord(WordTable.correctable) { words.append(($0, Array($0.utf8))) }
        return words
    }()
}
