// SPDX-License-Identifier: MIT

import Domain

/// Decides the intent of one question. The kinds are tried in a fixed order; the first that fits is taken.
struct IntentFinder {
    let segment: QuestionSegment
    /// The states of earlier (or, failing that, later) questions of the same text.
    let carried: [Int]

    /// The states that the question is about.
    var rows: [Int] { segment.rows.isEmpty ? carried : segment.rows }

    func find() -> Interpretation? {
        distance() ?? compass() ?? extreme() ?? joiners() ?? order() ?? facts() ?? owners() ?? statehood() ?? overview()
    }

    /// Positions of all words with roles that the test accepts.
    func all(_ test: (WordRole) -> Bool) -> Set<Int> { Set(segment.positions(where: test)) }

    /// True if the segment has topics other than these; a question of another kind leaves their words unexplained.
    func leftover(_ allowed: Topic...) -> Bool { segment.topics.contains { !allowed.contains($0.topic) } }

    /// "Denver's state": a value that names its state.
    func rowsWithOwners() -> (rows: [Int], unused: [Range<Int>]) {
        var rows: [(position: Int, row: Int)] = []
        for place in segment.places { rows += place.rows.map { (place.range.lowerBound, $0) } }
        var unused: [Range<Int>] = []
        for value in segment.values {
            let owners = value.meaning.allOwners
            guard segment.words.indices.contains(value.range.upperBound),
                segment.words[value.range.upperBound].role == .state, owners.count == 1
            else {
                unused.append(value.range)
                continue
            }
            rows.append((value.range.lowerBound, owners[0]))
        }
        var seen: Set<Int> = []
        let ordered = rows.sorted { $0.position < $1.position }.map(\.row).filter { seen.insert($0).inserted }
        return (ordered.isEmpty ? carried : ordered, unused)
    }

    /// "Is Texas a state?"
    private func statehood() -> Interpretation? {
        guard segment.topics.isEmpty, segment.values.isEmpty, rows.count == 1, let row = rows.first,
            let first = segment.range.first, ["is", "are", "was"].contains(segment.text(first)),
            let word = segment.positions(.state).last, word == segment.range.last || segment.text(word + 1) == "in",
            segment.text(word - 1) == "a" || segment.words[word - 1].role == .country || segment.text(word - 1) == "the"
        else { return nil }
        let isState = StateTable.rows[row].admission != nil
        let text =
            isState
            ? "Yes, \(AnswerWriter.name(row)) is a US state."
            : "No, the District of Columbia is not a state; it is the federal district."
        return Interpretation(
            intent: "is it a state", sentences: [text, AnswerWriter.facts(.admission, of: row)], rows: [row],
            plainness: 0.95)
    }

    /// A state's name alone, or with a word that asks for everything.
    private func overview() -> Interpretation? {
        guard !segment.places.isEmpty, segment.topics.isEmpty, segment.values.isEmpty else { return nil }
        let others = segment.range.filter { segment.words[$0].mention == nil }
        let asksForAll = segment.has(.overview)
        let leading: Set<String> = [
            "in", "at", "from", "to", "with", "by", "for", "on", "as", "myself", "inside", "within",
        ]
        // Prepositions make a state the circumstance of another question ("eat in Texas").
        let isCircumstance = others.contains { position in
            let text = segment.text(position)
            guard leading.contains(text) else { return false }
            if text == "to", segment.says("introduce") { return false }
            if text == "in", segment.words[position].role == .overview || segment.says("fill") { return false }
            if text == "to",
                ["know", "learn", "hear", "find", "get", "see", "ask", "have", "me", "us"].contains(
                    segment.text(position + 1))
            {
                return false
            }
            return !(asksForAll && (text == "on" || text == "for" || text == "with"))
        }
        guard !isCircumstance else { return nil }
        // "Ohio State" with a capital is a university.
        let last = segment.words[segment.range.upperBound - 1]
        if !asksForAll, last.role == .state, last.token.isCapitalised, !last.token.isUpper,
            last.token.separation == .none, segment.range.count == 1 + (segment.places.last?.range.count ?? 0),
            segment.words[segment.range.lowerBound].mention != nil
        {
            return nil
        }
        if !asksForAll {
            let bare: Set<String> = [
                "what", "which", "is", "are", "the", "of", "please", "thanks", "thank", "you", "hi", "hello", "hey",
                "ok",
                "okay", "show", "me", "tell", "give", "describe", "and", "or", "um", "uh", "a", "an", "yes", "now",
                "so",
                "well", "question", "good", "morning", "afternoon", "evening", "sir", "madam", "how", "state", "states",
                "do", "know", "named", "called", "dear", "computer", "assistant", "parley", "again", "alexa", "siri",
                "google", "then", "great", "beautiful", "lovely", "that", "about", "one", "hm", "hmm", "my", "just",
                "look", "up", "search", "find", "lookup", "can", "could", "we",
            ]
            guard others.allSatisfy({ bare.contains(segment.text($0)) || segment.words[$0].role == .country }) else {
                return nil
            }
            guard !segment.says("how", "can", "could", "are", "so") || segment.says("show", "tell", "give", "find")
            else {
                return nil
            }
        }
        return Interpretation(
            intent: "overview", sentences: segment.rows.map { AnswerWriter.facts(.overview, of: $0) },
            rows: segment.rows, plainness: asksForAll ? 0.95 : 0.9, allowsContext: false,
            isBareName: !asksForAll)
    }
}
