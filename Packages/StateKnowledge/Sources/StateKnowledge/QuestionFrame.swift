// SPDX-License-Identifier: MIT

/// The words around a question that are not part of it: "I was doing the dishes when it came to me that I don't know …
/// , I have a test tomorrow".
///
/// A frame is cut off only at the edge of a clause. It may contain unknown words, but no name, no topic and no request:
/// the text would then be about those.
struct QuestionFrame {
    let reading: QuestionReading
    /// The words with their frame.
    let whole: Range<Int>

    /// Words that ask or tell, before the question itself.
    private static let asking: Set<String> = [
        "know", "tell", "name", "give", "show", "recall", "remember", "remembers", "remind", "wonder", "wondering",
        "need", "want", "guess", "ask", "asks", "learn", "forgot", "forget", "identify", "provide", "knows", "knew",
    ]
    private static let questionWords: Set<String> = ["what", "which", "when", "where", "whose", "who", "how", "why"]
    private static let joining: Set<String> = ["and", "but", "so", "because", "since", "if", "as", "while", "for"]
    private static let subjects: Set<String> = ["i", "my", "we", "our", "he", "she", "they", "it", "this", "that"]
    /// Prepositions before the manner of the answer: "in the voice of …".
    private static let manners: Set<String> = ["in", "as", "like", "with", "without", "using", "via", "through"]
    /// Words that make what follows a request or an order.
    private static let requesting: Set<String> = [
        "tell", "give", "show", "name", "list", "explain", "describe", "find", "help", "want", "need", "like", "wish",
        "answer", "identify", "provide", "request", "require", "say", "about", "please", "kindly", "furnish", "supply",
        "wanna", "hope", "you",
        "your", "yours", "ask", "asking", "wondering", "wonder", "who", "how", "why", "what", "which", "when", "where",
        "whose", "looking", "seeking", "search", "write", "teach", "plan", "book", "apply", "draw", "means", "called",
    ]
    /// Verbs that open an order.
    private static let orders: Set<String> = [
        "be", "do", "get", "make", "take", "use", "let", "have", "keep", "try", "come", "start", "look", "go", "talk",
        "speak", "serve", "act", "check", "is", "are", "does", "did", "was", "were", "has", "forget", "remember",
        "add", "turn", "stop", "move", "fill", "mix", "practice", "visit", "drive", "camp", "hike", "compare", "bet",
    ]
    private static let determiners: Set<String> = [
        "me", "my", "the", "a", "an", "this", "that", "these", "those", "all", "your", "up", "out", "us", "him", "her",
        "it", "them", "some", "any", "every", "in", "to", "like", "as", "with", "for", "one", "two", "three", "about",
    ]

    private func text(_ position: Int) -> String {
        whole.contains(position) && reading.words[position].mention == nil ? reading.words[position].text : ""
    }

    /// The parts that could be the question, the longest first; each contains every name.
    func cores() -> [Range<Int>] {
        let named = whole.filter { reading.words[$0].mention != nil }
        let starts = [whole.lowerBound] + whole.dropFirst().filter { $0 <= named.first ?? .max && opensQuestion($0) }
        let ends =
            [whole.upperBound] + whole.dropFirst().reversed().filter { $0 > named.last ?? -1 && endsQuestion($0) }
        var found: [Range<Int>] = []
        for start in starts {
            for end in ends where start < end && end - start < whole.count { found.append(start..<end) }
        }
        return found
    }

    private func isBreak(_ position: Int) -> Bool {
        position == whole.lowerBound || reading.words[position].token.separation != .none
    }

    private func opensQuestion(_ position: Int) -> Bool {
        guard reading.words[position].mention == nil else { return isBreak(position) && !isInsideName(position) }
        if isBreak(position) { return true }
        let isAsking = Self.questionWords.contains(text(position)) || Self.asking.contains(text(position))
        return isAsking
            && text(position + 1) != "of"
            || ["in", "by", "on", "at"].contains(text(position)) && ["what", "which"].contains(text(position + 1))
    }

    private func isInsideName(_ position: Int) -> Bool {
        position > whole.lowerBound && reading.words[position].mention == reading.words[position - 1].mention
    }

    private func endsQuestion(_ position: Int) -> Bool {
        if isBreak(position) { return true }
        return Self.joining.contains(text(position)) && Self.subjects.contains(text(position + 1))
    }

    /// The unexplained words of the frame; `nil` if the frame contains more than a frame may.
    func strangers(around core: Range<Int>) -> [Int]? {
        var strangers: [Int] = []
        let topics = Set(core.compactMap { position in topic(position) })
        for clause in clauses(whole.lowerBound..<core.lowerBound) + clauses(core.upperBound..<whole.upperBound) {
            guard !clause.contains(where: { isForbidden($0, topics) }) else { return nil }
            let isLeadOut = clause.lowerBound >= core.upperBound
            // "…, as a riddle" is not a frame, whatever its words are.
            if isLeadOut, Self.manners.contains(text(clause.lowerBound)) { return nil }
            let unknown = clause.filter { isStranger($0) }
            guard let first = unknown.first else { continue }
            if clause.contains(where: { reading.words[$0].role?.isRefused == true }) {
                guard clause.upperBound <= core.lowerBound, isStatement(clause), asksPlainly(core) else { return nil }
            }
            guard !isRequest(clause, last: unknown.last ?? first) else { return nil }
            if isLeadOut,
                !isStatement(clause) || refersBack(clause) || unknown.contains(where: { reading.words[$0].role != nil })
            {
                return nil
            }
            // "Waco, Texas": a single word is a name, unless a question starts after it.
            if unknown.count == clause.count, clause.upperBound == core.lowerBound {
                guard reading.words[core.lowerBound].token.separation == .sentence || asksPlainly(core) else {
                    return nil
                }
            }
            strangers += unknown
        }
        return strangers
    }

    /// True if a question begins with a word that asks.
    private func asksPlainly(_ core: Range<Int>) -> Bool {
        core.prefix(4).contains { Self.questionWords.contains(text($0)) || Self.asking.contains(text($0)) }
    }

    private func clauses(_ range: Range<Int>) -> [Range<Int>] {
        guard !range.isEmpty else { return [] }
        let starts =
            [range.lowerBound]
            + range.dropFirst().filter { position in
                let next = text(position + 1)
                return reading.words[position].token.separation != .none
                    || Self.joining.contains(text(position))
                        && (Self.subjects.contains(next) || Self.questionWords.contains(next)
                            || Self.asking.contains(next))
            }
        return starts.indices.map { index in
            starts[index]..<(index + 1 < starts.count ? starts[index + 1] : range.upperBound)
        }
    }

    private func topic(_ position: Int) -> Topic? {
        guard case .topic(let topic)? = reading.words[position].role else { return nil }
        return topic
    }

    private func isForbidden(_ position: Int, _ topics: Set<Topic>) -> Bool {
        let word = reading.words[position]
        switch word.role {
        case .topic(let topic): return !topics.contains(topic)
        case .distance, .extreme, .otherCity, .country: return true
        default: return word.mention != nil || word.token.isForeign || word.token.isUpper && word.text.utf8.count > 3
        }
    }

    private func isStranger(_ position: Int) -> Bool {
        switch reading.words[position].role {
        case .function, .context, .state, .emblem, .overview: false
        default: !Self.questionWords.contains(text(position)) && reading.words[position].token.number == nil
        }
    }

    /// True if a clause contains an unknown question or order: "bring me …", "could you …", "I need …".
    private func isRequest(_ clause: Range<Int>, last: Int) -> Bool {
        let content = clause.drop { ["and", "but", "so", "please", "then", "first", "also", "now"].contains(text($0)) }
        guard let first = content.first else { return false }
        if Self.orders.contains(text(first)) || Self.manners.contains(text(first)) { return true }
        if isStranger(first), Self.determiners.contains(text(first + 1)) { return true }
        return content.contains {
            $0 < last && Self.requesting.contains(text($0)) && !isIntroduction($0) && !isSubordinate($0)
        }
            || content.contains { Self.questionWords.contains(text($0)) && !isSubordinate($0) }
    }

    /// "It should be sung", "this time in verse": describes the answer.
    private func refersBack(_ clause: Range<Int>) -> Bool {
        clause.first.map { ["it", "this", "that"].contains(text($0)) } ?? false
    }

    /// "When I noticed" states a time and does not ask for one.
    private func isSubordinate(_ position: Int) -> Bool {
        text(position) == "when" && Self.subjects.contains(text(position + 1))
    }

    /// "My name is …".
    private func isIntroduction(_ position: Int) -> Bool { text(position) == "name" && text(position - 1) == "my" }

    /// True if a clause after the question is a statement and does not complete the question.
    private func isStatement(_ clause: Range<Int>) -> Bool {
        let content = clause.drop { Self.joining.contains(text($0)) }
        guard let first = content.first else { return true }
        // "The weather was nice", but not "…, the weather".
        let isDescribed =
            ["the", "his", "her", "there"].contains(text(first))
            && clause.contains { text($0) == "was" || text($0) == "is" || text($0) == "are" || text($0) == "were" }
        return Self.subjects.contains(text(first)) || isDescribed
    }
}
