// SPDX-License-Identifier: MIT

/// One word of a question, folded to lower-case ASCII.
struct QuestionToken: Equatable {
    /// How strongly what stands before a word separates it from the word before.
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
    /// What separates the word from the one before it.
    var separation = Break.none

    /// True if the word is a number in digits.
    var number: Int? { text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil }
}

/// A question as words.
struct TokenisedQuestion {
    /// The words in order, at most ``Tokeniser/wordLimit``.
    var tokens: [QuestionToken] = []
    /// Why the text cannot be a spoken or written question at all, whatever its words say.
    var oddity: String?
    /// True if any word is in small letters, so that capitals mean something.
    var hasLowerCase = false
}
