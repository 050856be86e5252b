// SPDX-License-Identifier: MIT

/// Cuts a question into words: normalises accents, case, apostrophes, initials and dashes, and keeps breaks.
struct Tokeniser {
    /// The most words of a question.
    static let wordLimit = 90
    /// The most Unicode scalars that are read.
    static let scalarLimit = 2000

    private var result = TokenisedQuestion()
    private var letters: [UInt8] = []
    private var capitals = 0
    private var firstIsCapital = false
    private var hasForeign = false
    /// The positions of apostrophes in `letters`.
    private var apostrophes: [Int] = []
    private var pendingBreak = QuestionToken.Break.none

    static func tokenise(_ text: String) -> TokenisedQuestion {
        var tokeniser = Tokeniser()
        tokeniser.read(text)
        return tokeniser.result
    }

    private mutating func read(_ text: String) {
        var seen = 0
        for scalar in text.unicodeScalars {
            seen += 1
            guard seen <= Self.scalarLimit, result.tokens.count <= Self.wordLimit else {
                result.oddity = "it is too long for a question"
                break
            }
            switch LetterFolding(scalar) {
            case .letter(let byte, let upper): append(byte, upper: upper)
            case .ligature(let first, let second):
                append(first, upper: false)
                append(second, upper: false)
            case .foreign:
                append(0x3F, upper: false)
                hasForeign = true
            case .apostrophe: apostrophes.append(letters.count)
            case .ignored: notice(scalar)
            case .other where scalar == "`" && !letters.isEmpty: apostrophes.append(letters.count)
            case .other: separate(at: scalar)
            }
        }
        finishWord(dotted: false)
    }

    private mutating func append(_ byte: UInt8, upper: Bool) {
        if letters.isEmpty { firstIsCapital = upper }
        if upper { capitals += 1 }
        letters.append(byte)
    }

    /// Text that runs against its own direction displays other words than it contains.
    private mutating func notice(_ scalar: Unicode.Scalar) {
        if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) {
            result.oddity = "it has characters that turn the direction of writing"
        }
    }

    private mutating func separate(at scalar: Unicode.Scalar) {
        switch scalar {
        case ".":
            if letters.isEmpty { pendingBreak = .sentence } else { finishWord(dotted: true) }
        case "!", "?", ";", "\n", "\r", "…", "¿", "¡", "。", "？", "\u{2028}", "\u{2029}":
            finishWord(dotted: false)
            pendingBreak = .sentence
        case ",", ":", "(", ")", "[", "]", "/", "\"", "“", "”", "«", "»", "–", "—", "•":
            finishWord(dotted: false)
            pendingBreak = max(pendingBreak, .comma)
        case "&", "+":
            finishWord(dotted: false)
            letters = Array("and".utf8)
            finishWord(dotted: false)
        case "=", "<", ">", "{", "}", "`", "$", "\\", "|":
            finishWord(dotted: false)
            result.oddity = result.oddity ?? "it has the signs of program text"
        case "-":
            // A lone dash is a pause, a hyphen joins words.
            if letters.isEmpty { pendingBreak = max(pendingBreak, .comma) }
            finishWord(dotted: false)
        default: finishWord(dotted: false)
        }
    }

    private mutating func finishWord(dotted: Bool) {
        defer {
            letters.removeAll(keepingCapacity: true)
            apostrophes.removeAll(keepingCapacity: true)
            capitals = 0
            hasForeign = false
        }
        guard !letters.isEmpty else { return }
        var token = QuestionToken(text: "")
        token.isUpper = capitals == letters.count
        token.isCapitalised = firstIsCapital
        token.isForeign = hasForeign
        token.isDotted = dotted
        token.separation = pendingBreak
        pendingBreak = dotted && letters.count > 1 ? .sentence : .none
        if capitals < letters.count, letters.contains(where: { $0 >= 97 }) { result.hasLowerCase = true }
        if joinsInitials(dotted: dotted) { return }
        emit(token)
    }

    /// "N.Y." arrives as "N" and "Y": the second letter joins the first.
    private mutating func joinsInitials(dotted: Bool) -> Bool {
        guard letters.count == 1, let last = result.tokens.indices.last, result.tokens[last].isDotted,
            result.tokens[last].text.utf8.count <= 3, result.tokens[last].text.utf8.first != 0x3F,
            initialsCount > 0
        else {
            initialsCount = letters.count == 1 && dotted ? 1 : 0
            return false
        }
        if apostrophes.isEmpty {
            result.tokens[last].text += String(decoding: letters, as: UTF8.self)
            initialsCount += 1
        } else {
            result.tokens[last].isPossessive = true
        }
        if !dotted { initialsCount = 0 }
        return true
    }

    private var initialsCount = 0

    private mutating func emit(_ token: QuestionToken) {
        var token = token
        var word = letters
        var appended: String?
        if let mark = apostrophes.last, apostrophes.count <= 2, mark > 0 {
            let ending = String(decoding: word[mark...], as: UTF8.self)
            let stem = String(decoding: word[..<mark], as: UTF8.self)
            switch ending {
            case "" where apostrophes.first == 0: break
            case "":
                token.isPossessive = true
            case "s" where !Contractions.stems.contains(stem):
                token.isPossessive = true
                word = Array(word[..<mark])
            case "s", "re", "d", "ll", "ve", "m":
                word = Array(word[..<mark])
                appended = Contractions.endings[ending]
            case "t" where stem.hasSuffix("n"):
                // No question here depends on "isn't" and "don't".
                word = Array(word[..<(mark - 1)])
                if let whole = Contractions.irregular[String(decoding: word, as: UTF8.self)] {
                    word = Array(whole.utf8)
                }
            default: break
            }
        }
        token.text = String(decoding: word, as: UTF8.self)
        if let plain = Contractions.written[token.text], !token.isUpper || token.text.utf8.count > 2 {
            let parts = plain.split(separator: " ").map(String.init)
            token.text = parts[0]
            result.tokens.append(token)
            for part in parts.dropFirst() { result.tokens.append(QuestionToken(text: part)) }
        } else if !token.text.isEmpty {
            result.tokens.append(token)
        }
        if let appended { result.tokens.append(QuestionToken(text: appended)) }
    }
}

/// Shortened words and their full forms.
private enum Contractions {
    /// Words after which "'s" is "is" and not a possessive.
    static let stems: Set<String> = [
        "what", "where", "who", "when", "how", "which", "that", "it", "here", "there", "let", "he", "she", "one",
    ]
    static let endings = ["s": "is", "re": "are", "d": "would", "ll": "will", "ve": "have", "m": "am"]
    /// Verbs that change before "n't".
    static let irregular = ["ca": "can", "wo": "will", "sha": "shall", "ai": "is"]
    /// Words written without their apostrophes, or as they sound.
    static let written: [String: String] = [
        "whats": "what is", "wheres": "where is", "whens": "when is", "hows": "how is", "whos": "who is",
        "whatre": "what are", "thats": "that is", "im": "i am", "ive": "i have", "dont": "do", "doesnt": "does",
        "didnt": "did", "cant": "can", "couldnt": "could", "isnt": "is", "arent": "are", "wasnt": "was",
        "lemme": "let me", "gimme": "give me", "wanna": "want to", "gonna": "going to", "gotta": "have to",
        "dunno": "do know", "whatis": "what is", "whereis": "where is", "tellme": "tell me", "abt": "about",
        "u": "you", "ur": "your", "pls": "please", "plz": "please", "wat": "what", "wut": "what", "whut": "what",
        "cuz": "because", "thx": "thanks", "ya": "you", "wen": "when", "capitalof": "capital of",
        "da": "the", "dat": "that", "cud": "could", "shud": "should",
        "wud": "would", "kno": "know", "hw": "how", "wats": "what is", "wuts": "what is", "kinda": "kind of",
        "whad": "what",
        "whatcha": "what you",
    ]
}
