// SPDX-License-Identifier: MIT

/// A question that, as far as its words tell, has the same answer for everyone, wherever and whenever it is asked.
///
/// The rule has closed lists. A question is one for a fact if it begins as such questions do ("who", "how many"), has
/// no word that points at the time, the place, the person or the conversation before it, asks for no opinion and for no
/// holder of an office, and has no sign of unknown meaning. What the rule does not know is no question for a fact: it
/// is asked again, never answered wrongly. Only English questions are known.
public struct FactQuestion: Sendable, Hashable {
    /// The words that tell it from other questions: lower case, without accents, punctuation, and words of politeness
    /// before and behind it; "what's" is "what is". Numbers, names and all other words stay, in order.
    public let key: String

    /// The most words.
    private static let longest = 40
    /// The most bytes. A longer text is not split into words: the time for that grows with its square.
    private static let longestText = 1_000

    /// Reads a question; nil for one that is not for a fact.
    public init?(_ text: String) {
        guard let words = Self.words(ofQuestion: text),
            words.count >= 3 || (words.count == 2 && words.first == "define"), Self.begins(words),
            Self.pointing.isDisjoint(with: words)
        else { return nil }
        guard Self.present.isDisjoint(with: words) || Self.changing.isDisjoint(with: words) else { return nil }
        key = words.joined(separator: " ")
    }

    /// The words of a question of any kind, without those of politeness before and behind it; see ``key``. Nil if it has a
    /// sign of unknown meaning, or is too long.
    static func words(ofQuestion text: String) -> ArraySlice<String>? {
        guard text.utf8.count <= longestText, var words = words(of: text)?[...], words.count <= longest else {
            return nil
        }
        while let phrase = openings.first(where: { words.starts(with: $0) }) { words = words.dropFirst(phrase.count) }
        while let phrase = closings.first(where: { words.suffix($0.count).elementsEqual($0) }) {
            words = words.dropLast(phrase.count)
        }
        return words
    }

    private static func begins(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first, let second = words.dropFirst().first else { return false }
        // The next time of anything, and the way from here, depend on when and where they are asked for.
        if first == "when" { return ["was", "were", "did"].contains(second) }
        if first == "how", second == "far" { return words.contains("from") || words.contains("between") }
        if first == "how" { return measures.contains(second) }
        if ["in", "on", "at", "of", "by", "from", "to"].contains(first) {
            return ["what", "which", "whom"].contains(second)
        }
        return beginnings.contains(first) && second != "about"
    }

    private static let beginnings: Set<String> = [
        "who", "whom", "whose", "what", "where", "which", "why", "define", "is", "are", "was", "were", "did",
        "does",
    ]
    private static let measures: Set<String> = [
        "many", "much", "tall", "high", "long", "far", "deep", "wide", "big", "large", "small", "heavy", "fast",
        "is", "are", "does", "did", "was", "were",
    ]
    /// Words that make an answer depend on more than the question.
    private static let pointing = Set(
        """
        now today tonight tomorrow yesterday currently current latest newest recent recently still yet already last \
        next ago upcoming since lately soon until till remaining morning afternoon evening weekend weekends holiday \
        holidays monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday \
        saturdays sunday sundays weather forecast temperature price prices cost costs worth stock shares rate rates \
        news score scores traffic open closed old age younger older i me my mine myself we us our ours you your \
        yours he him his she her hers it its they them their this that these those there here near nearby nearest \
        closest around local home away outside outdoors inside indoors upstairs downstairs such so again else \
        another other others same more previous earlier above below before following former latter one ones said say \
        mentioned best better worst worse good bad favorite favourite should would could recommend suggest think \
        believe opinion like owns leads governs tv television schedule timetable joke poem story write draw sing \
        random guess choose pick
        """.split(separator: " ").map(String.init))
    private static let present: Set<String> = ["is", "are", "do", "does", "has", "have"]
    /// Offices, titles, states and dates: who holds them, and when they are, changes; who held them, and when they were,
    /// does not.
    private static let changing: Set<String> = [
        "time", "date", "day", "week", "month", "year",
        "president", "minister", "chancellor", "ceo", "cto", "chairman", "chair", "mayor", "governor", "senator",
        "king", "queen",
        "pope", "prince", "princess", "emperor", "leader", "head", "boss", "director", "coach", "captain", "manager",
        "champion",
        "champions", "holder", "record", "owner", "speaker", "secretary", "ambassador", "richest", "population",
        "members", "alive", "married", "single", "available",
    ]
    private static let openings = phrases(
        """
        hey; hi; hello; okay; ok; um; uh; er; well; please; kindly; sorry; excuse me; jarvis; tell me; please tell me; \
        can you tell me; could you tell me; would you tell me; do you know; i want to know; i would like to know; \
        i wonder; say
        """)
    private static let closings = phrases("please; thanks; thank you; exactly")

    private static func phrases(_ text: String) -> [[String]] {
        text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
    }
}

extension FactQuestion {
    /// The words of a text in lower case; nil if it has a sign that may mean something.
    private static func words(of text: String) -> [String]? {
        var words: [String] = []
        var word = ""
        func end() {
            defer { word = "" }
            if let parts = contractions[word] { words += parts } else if !word.isEmpty { words.append(word) }
        }
        let characters = Array(text.lowercased())
        for (index, character) in characters.enumerated() {
            if let letter = plain(character) {
                word.append(letter)
            } else if character == "'" || character == "’" {
                continue
            } else if character.isWhitespace || ",;:?\"“”".contains(character) {
                end()
            } else if "!()".contains(character) {
                guard !hasMeaning(characters, at: index) else { return nil }
                end()
            } else if character == "." || character == "-" {
                // In a number it is part of it, before one it is its sign, alone it is minus.
                let next = characters.indices.contains(index + 1) ? characters[index + 1] : " "
                if word.last?.isNumber != true || !next.isNumber { end() }
                if next.isNumber {
                    word.append(character)
                } else if character == "-", next == " ", index > 0,
                    characters[index - 1] == " "
                {
                    words.append("-")
                }
            } else if "+*/=%#&<>^$€£°".contains(character) {
                word.append(character)
            } else {
                return nil
            }
        }
        end()
        return words
    }

    /// True for a parenthesis of a formula and for the sign of a factorial: "(x + 1)", "sin(x)", "100!".
    private static func hasMeaning(_ characters: [Character], at index: Int) -> Bool {
        let before = characters[..<index]
        let after = characters[(index + 1)...]
        if characters[index] == "!" {
            guard let last = before.last else { return after.first?.isNumber == true }
            return last.isNumber || last == ")" || after.first?.isNumber == true || after.first == "("
                || (plain(last) != nil && isSingle(before.dropLast().last))
        }
        if characters.contains(where: { "+*/=<>^".contains($0) }) || characters.contains(Array(" - ")) { return true }
        if characters[index] == "(", let last = before.last, plain(last) != nil { return true }
        let (left, right) = (before.reversed().drop(while: \.isWhitespace), after.drop(while: \.isWhitespace))
        return [Array(left.prefix(2)), Array(right.prefix(2))].contains { near in
            guard let first = near.first else { return false }
            if plain(first) == nil { return !",;:.?\"“”'’".contains(first) }
            return first.isNumber || isSingle(near.dropFirst().first)
        }
    }

    /// True if the character beside a letter makes it a word of its own.
    private static func isSingle(_ neighbour: Character?) -> Bool { neighbour.map { plain($0) == nil } ?? true }

    private static let contractions: [String: [String]] = [
        "whats": ["what", "is"], "whos": ["who", "is"], "wheres": ["where", "is"], "whens": ["when", "is"],
        "whys": ["why", "is"], "hows": ["how", "is"],
    ]

    /// A letter without its accents, or a digit; nil for anything else.
    static func plain(_ character: Character) -> Character? {
        if character.isASCII { return character.isLetter || character.isNumber ? character : nil }
        guard character.isLetter || character.isNumber else { return nil }
        return bases[character] ?? character
    }

    /// The letters from a to z with one accent. Characters are equal by canonical equivalence, so composed ones are found.
    private static let bases: [Character: Character] = {
        var bases: [Character: Character] = [:]
        for base in "abcdefghijklmnopqrstuvwxyz" {
            for mark in UInt32(0x300)...0x36F {
                guard let mark = Unicode.Scalar(mark) else { continue }
                let text = String(String.UnicodeScalarView(base.unicodeScalars + [mark]))
                if let character = text.first, text.count == 1 { bases[character] = base }
            }
        }
        return bases
    }()
}

extension AssistantQuestion {
    /// True for a question for a fact with nothing before it, whose answer may be kept.
    public var asksForLastingFact: Bool { earlier.isEmpty && FactQuestion(text) != nil }
}
