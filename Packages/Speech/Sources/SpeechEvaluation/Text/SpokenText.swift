// SPDX-License-Identifier: MIT

/// A text as the list of words with which it is read aloud.
///
/// Words are lower-case, without punctuation and without accents on Latin letters; apostrophes stay inside words; a
/// hyphen, a dash, a slash or a dot between letters separates words. In English numbers, amounts, percentages, times,
/// "&" and initials (`U.S.`) are written out. If a number can be read in several ways, `NumberWords` picks one: as a
/// year for 1100 to 1999, no "and" in hundreds.
public struct SpokenText: Sendable, Hashable {
    /// One word.
    public struct Word: Sendable, Hashable {
        /// The word in the form in which it is compared.
        public let text: String
        /// The range of the text that the word is made from: UTF-8 offsets. Several words may share a range ("21").
        public let source: Range<Int>
    }

    /// The words in order.
    public let words: [Word]

    /// Reads a text.
    ///
    /// - Parameter language: A BCP 47 tag; numbers are written out for `en` and tags that begin with `en-`.
    public init(_ text: String, language: String) {
        let isEnglish = SpokenText.isEnglish(language)
        var words: [Word] = []
        var start = 0
        for token in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: Self.isBlank) {
            let end = start + token.count
            defer { start = end + 1 }
            for word in Self.words(of: String(decoding: token, as: UTF8.self), isEnglish) {
                words.append(Word(text: word, source: start..<end))
            }
        }
        self.words = words
    }

    /// True if a BCP 47 tag means English of any region.
    public static func isEnglish(_ language: String) -> Bool {
        let primary = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first ?? ""
        return ["en", "eng"].contains(primary.lowercased())
    }

    /// ASCII white space only: any other white space is a separator within a token.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func words(of token: String, _ isEnglish: Bool) -> [String] {
        var rest = token.lowercased().flatMap { LatinLetters.plain($0) }[...]
        var words: [String] = []
        while let first = rest.first {
            if isEnglish, let number = SpokenNumber(rest) {
                words += number.words
                rest = rest.dropFirst(number.length)
            } else if first.isLetter || first.isNumber {
                let word = letters(rest, isEnglish)
                rest = rest.dropFirst(word.length)
                words += word.words
            } else {
                if isEnglish, let name = symbols[first] { words.append(name) }
                rest = rest.dropFirst()
            }
        }
        return words
    }

    private static let symbols: [Character: String] = [
        "&": "and", "@": "at", "%": "percent", "+": "plus", "=": "equals",
    ]

    /// A run of letters with apostrophes inside, or initials.
    private static func letters(_ text: ArraySlice<Character>, _ isEnglish: Bool) -> (words: [String], length: Int) {
        var initials: [String] = []
        var cursor = text.startIndex
        while cursor + 1 < text.endIndex, text[cursor].isLetter, text[cursor + 1] == "." {
            initials.append(String(text[cursor]))
            cursor += 2
        }
        if isEnglish, initials.count > 1, cursor == text.endIndex || !text[cursor].isLetter {
            return (initials, cursor - text.startIndex)
        }
        var end = text.startIndex
        while end < text.endIndex {
            let isInner = text[end] == "'" && end + 1 < text.endIndex && text[end + 1].isLetter
            // In English a digit begins a separate number.
            guard text[end].isLetter || isInner || (text[end].isNumber && !isEnglish) || end == text.startIndex else {
                break
            }
            end += 1
        }
        return ([String(text[text.startIndex..<end])], end - text.startIndex)
    }
}

/// Latin letters without their accents, and one apostrophe for all similar characters.
enum LatinLetters {
    private static let table: [Character: String] = {
        var table: [Character: String] = [
            "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d",
        ]
        let accented: [(String, String)] = [
            ("àáâãäåāăą", "a"), ("çćčĉċ", "c"), ("ďđ", "d"), ("èéêëēĕėęě", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"),
            ("ìíîïĩīĭį", "i"),
            ("ĵ", "j"), ("ķ", "k"), ("ĺļľ", "l"), ("ñńņň", "n"), ("òóôõöōŏő", "o"), ("ŕŗř", "r"), ("śŝşšș", "s"),
            ("ţťŧț", "t"), ("ùúûüũūŭůűų", "u"), ("ŵ", "w"), ("ýÿŷ", "y"), ("źżž", "z"), ("’‘ʼ＇`´", "'"),
        ]
        for (letters, plain) in accented { for letter in letters { table[letter] = plain } }
        return table
    }()

    /// The character or its replacement.
    static func plain(_ character: Character) -> [Character] {
        if character.isASCII { return [character] }
        return table[character].map(Array.init) ?? [character]
    }
}
