// SPDX-License-Identifier: MIT

extension WakeWordDetector {
    /// A wake word: one or more words, best with six phones or more.
    public struct Phrase: Sendable, Hashable, CustomStringConvertible {
        /// The words in lower case, in order, without punctuation.
        public let words: [String]
        /// Phones for words that the dictionary lacks or has with another pronunciation.
        public let phones: [String: [String]]?

        /// Makes a phrase whose words are all in the dictionary.
        ///
        /// - Parameter text: The words, as in "Hey Jarvis"; punctuation and capitals are ignored.
        public init(_ text: String) { self.init(text, phones: nil) }

        /// Makes a phrase with words that the dictionary lacks.
        ///
        /// - Parameters:
        ///   - text: The words, as in "Hey Parley"; punctuation and capitals are ignored.
        ///   - phones: For words of `text`, one or more pronunciations of each, in the model's notation: `["parley":
        ///     ["P AA R L IY"]]`. They precede those of the dictionary.
        public init(_ text: String, phones: [String: [String]]?) {
            words = text.split(whereSeparator: \.isWhitespace).compactMap(Self.word)
            self.phones = phones?.reduce(into: [:]) { result, entry in
                guard let word = Self.word(entry.key[...]) else { return }
                result[word, default: []] += entry.value.map { $0.uppercased() }
            }
        }

        /// The words with blanks between them.
        public var description: String { words.joined(separator: " ") }

        /// Nil for punctuation alone.
        private static func word(_ text: Substring) -> String? {
            let isPart = { (character: Character) in character.isLetter || character.isNumber }
            guard let first = text.firstIndex(where: isPart), let last = text.lastIndex(where: isPart) else {
                return nil
            }
            return text[first...last].lowercased()
        }
    }
}
