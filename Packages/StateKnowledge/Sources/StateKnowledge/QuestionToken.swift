// SPDX-License-Identifier: MIT

/// One word of a question, folded to lower-case ASCII.
struct QuestionToken: Equatable {
    /// The strength of the separation between two words.
    enum Break: Int, Comparable {
        case none, comma, sentence

        static func < (left: Break, right: Break) -> Bool { left.rawValue < right.rawValue }
    }

    /// The letters and digits, without a possessive ending.
    var text: String
    /// Every letter was a capital.
    var isUpper = false
    /// The first letter was a capital.
    var isCapitalised = false
    /// The word ended in an apostrophe, with or without an s.
    var isPossessive = false
    /// A full stop stood in or after the word, as in "Calif." and "N.Y.".
    var isDotted = false
    /// The word has letters of another script than Latin.
    var isForeign = false
    /// The separation from the previous word.
    var separation = Break.none

    /// The value of a word in digits; nil for any other word.
    var number: Int? { text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil }
}

/// A question as words.
struct TokenisedQuestion {
    /// The words in order, at most ``Tokeniser/wordLimit``.
    var tokens: [QuestionToken] = []
    /// The reason why the text cannot be a question at all, whatever its words are.
    var oddity: String?
    /// True if any word is in small letters, so that capitals mean something.
    var hasLowerCase = false
}
