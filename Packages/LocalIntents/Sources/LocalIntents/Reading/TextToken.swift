// SPDX-License-Identifier: MIT

/// One word, number or sign of a text, with its range there.
struct TextToken: Sendable {
    enum Kind: Sendable {
        case word, number, sign
        /// The end of a sentence inside the text.
        case pause
    }

    /// Lower case; the sign of a percentage is the word "percent".
    var text: String
    var kind: Kind
    var range: Range<String.Index>
}

extension [TextToken] {
    /// The text of a token, empty past the end.
    func text(_ index: Int) -> String { indices.contains(index) ? self[index].text : "" }

    /// True if the words stand at `index`.
    func has(_ words: String..., at index: Int) -> Bool {
        words.enumerated().allSatisfy { text(index + $0.offset) == $0.element }
    }

    /// The range in the text of the tokens from `start` to before `end`, which must not be empty.
    func range(_ start: Int, _ end: Int) -> Range<String.Index> {
        self[start].range.lowerBound..<self[end - 1].range.upperBound
    }
}

/// Cuts a text into tokens: contractions in full ("what's" is "what is"), no commas, hyphens between words dropped.
struct TextTokeniser {
    /// The most Unicode scalars that are read.
    static let scalarLimit = 1000
    /// The most tokens that are read.
    static let tokenLimit = 120

    private let text: String.UnicodeScalarView
    private var index: String.Index
    private var tokens: [TextToken] = []

    /// The tokens; nil if the text is too long, or has control characters or marks that turn the direction of writing.
    static func tokens(of text: String) -> [TextToken]? {
        // A scalar has at most four bytes, so this bounds the scan of a text of any length.
        guard text.utf8.count <= scalarLimit * 4, text.unicodeScalars.count <= scalarLimit else { return nil }
        var tokeniser = TextTokeniser(text)
        guard tokeniser.run() else { return nil }
        var tokens = tokeniser.tokens
        while tokens.last?.kind == .pause { tokens.removeLast() }
        while tokens.first?.kind == .pause { tokens.removeFirst() }
        return tokens.count <= tokenLimit ? tokens : nil
    }

    private init(_ text: String) {
        self.text = text.unicodeScalars
        index = text.startIndex
    }

    private var next: Unicode.Scalar? { index < text.endIndex ? text[index] : nil }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        guard let place = text.index(index, offsetBy: distance, limitedBy: text.endIndex), place < text.endIndex else {
            return nil
        }
        return text[place]
    }

    private mutating func advance() { index = text.index(after: index) }

    private mutating func run() -> Bool {
        while let scalar = next {
            switch scalar {
            case " ", "\t", "\n", "\r", ",", "\"", "“", "”", "\u{A0}": advance()
            case _ where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
                return false
            case "0"..."9": readNumber()
            case _ where scalar.isLetter: readWord()
            case ".", "!", "?", ";", "…": readPause()
            case "%": emit("percent", .word)
            case "×", "*": emit("*", .sign)
            case "÷", "/": emit("/", .sign)
            case "−", "–": emit("-", .sign)
            case "-": readHyphen()
            case "°", "'", "’": advance()
            case "²": emit("squared", .word)
            case "³": emit("cubed", .word)
            default: emit(String(scalar), .sign)
            }
        }
        return true
    }

    private mutating func emit(_ text: String, _ kind: TextToken.Kind) {
        let start = index
        advance()
        tokens.append(TextToken(text: text, kind: kind, range: start..<index))
    }

    private mutating func readPause() {
        // An abbreviation's full stop ends no sentence: "St. Louis", "5 ft. in metres".
        if next == ".", let last = tokens.last, last.range.upperBound == index,
            TokenTable.abbreviations.contains(last.text)
        {
            advance()
        } else {
            emit(".", .pause)
        }
    }

    private mutating func readHyphen() {
        let previous = tokens.last
        let isBound = previous?.range.upperBound == index
        let joinsWord = isBound && (previous?.kind == .word || peek(1)?.isLetter == true)
        if joinsWord { advance() } else { emit("-", .sign) }
    }

    /// Digits with thousands separators and a decimal point: "1,000.5".
    private mutating func readNumber() {
        let start = index
        var digits = ""
        var hasPoint = false
        while let scalar = next {
            if scalar.isDigit {
                digits.unicodeScalars.append(scalar)
            } else if scalar == ",", !hasPoint, digits.count <= 12, (1...3).allSatisfy({ peek($0)?.isDigit == true }),
                peek(4)?.isDigit != true
            {
                // A separator; the loop goes on with the group.
            } else if scalar == ".", !hasPoint, peek(1)?.isDigit == true {
                hasPoint = true
                digits += "."
            } else {
                break
            }
            advance()
        }
        tokens.append(TextToken(text: digits, kind: .number, range: start..<index))
        if next == "x" || next == "X", peek(1)?.isDigit == true { emit("*", .sign) }
    }

    private mutating func readWord() {
        let start = index
        var word = ""
        var isDotted = false
        while let scalar = next {
            if scalar.isLetter || scalar.isDigit || scalar.properties.generalCategory == .nonspacingMark {
                word.unicodeScalars.append(scalar)
            } else if scalar == "'" || scalar == "’", peek(1)?.isLetter == true {
                word += "'"
            } else if scalar == ".", word.count == 1 || isDotted, peek(1)?.isLetter == true, peek(2) == "." || isDotted
            {
                isDotted = true
            } else {
                break
            }
            advance()
        }
        let end = index
        if isDotted, next == "." { advance() }
        append(word.lowercased(), start..<end)
    }

    private mutating func append(_ word: String, _ range: Range<String.Index>) {
        if let words = TokenTable.contractions[word] {
            for part in words.split(separator: " ") {
                tokens.append(TextToken(text: String(part), kind: .word, range: range))
            }
            return
        }
        tokens.append(TextToken(text: word, kind: .word, range: range))
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    var isLetter: Bool { properties.isAlphabetic }
}

/// Words that the tokeniser writes in full, and abbreviations that end in a full stop.
enum TokenTable {
    static let contractions: [String: String] = [
        "what's": "what is", "whats": "what is", "how's": "how is", "it's": "it is", "that's": "that is",
        "thats": "that is", "when's": "when is", "whens": "when is", "who's": "who is", "where's": "where is",
        "i'd": "i would", "i'm": "i am", "im": "i am", "you're": "you are", "youre": "you are", "i've": "i have",
        "let's": "let us", "lets": "let us", "don't": "do not", "dont": "do not", "didn't": "did not",
        "didnt": "did not", "can't": "can not", "cant": "can not", "cannot": "can not", "couldn't": "could not",
        "there's": "there is", "what're": "what are", "how'd": "how did", "pls": "please", "plz": "please",
        "gimme": "give me", "lemme": "let me", "todays": "today's", "oclock": "o'clock", "hrs": "hours",
    ]
    static let abbreviations: Set<String> = [
        "st", "mt", "ft", "in", "lb", "lbs", "oz", "min", "mins", "sec", "secs", "hr", "am", "pm", "d", "jan", "feb",
        "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "approx",
    ]
}
