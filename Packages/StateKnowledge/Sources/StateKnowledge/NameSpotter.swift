// SPDX-License-Identifier: MIT

/// Finds the names in a question.
struct NameSpotter {
    let names: NameIndex
    let vocabulary: Vocabulary
    let question: TokenisedQuestion
    private(set) var mentions: [NameMention] = []
    private var taken: [Bool]

    init(names: NameIndex, vocabulary: Vocabulary, question: TokenisedQuestion) {
        self.names = names
        self.vocabulary = vocabulary
        self.question = question
        taken = [Bool](repeating: false, count: question.tokens.count)
    }

    private var tokens: [QuestionToken] { question.tokens }

    private mutating func take(_ mention: NameMention) {
        mentions.append(mention)
        for position in mention.range { taken[position] = true }
    }

    /// Names as they are in the tables, written with or without spaces, and "North and South Dakota".
    mutating func spotExactNames() {
        var start = 0
        while start < tokens.count {
            if let pair = coordinatedStates(at: start) {
                take(pair)
                start = pair.range.upperBound
                continue
            }
            var found: NameMention?
            for count in stride(from: min(6, tokens.count - start), through: 1, by: -1) {
                let range = start..<(start + count)
                let key = joined(range)
                guard let meaning = names.meanings[key] ?? meaningWithoutEnding(key), isOnePiece(range, key: key) else {
                    continue
                }
                // "N. J." and "W. Va." are names, "i a" and "me mo" are not.
                let isInitials = tokens[start].text.utf8.count == 1 && tokens[start].isDotted
                if count > 1, key.utf8.count < 4, !isInitials, !tokens[range].allSatisfy({ $0.text.utf8.count == 1 }) {
                    continue
                }
                found = NameMention(range: range, meaning: meaning, distance: 0, key: key)
                break
            }
            if let found {
                take(found)
                start = found.range.upperBound
            } else {
                start += 1
            }
        }
    }

    /// "Minnesotas capital": a possessive without its apostrophe.
    private func meaningWithoutEnding(_ key: String) -> NameMeaning? {
        guard key.utf8.last == 115, key.utf8.count >= 5, vocabulary.roles[key] == nil else { return nil }
        return names.meanings[String(key.dropLast())].flatMap { $0.birds.isEmpty && $0.flowers.isEmpty ? $0 : nil }
    }

    private func joined(_ range: Range<Int>) -> String {
        range.count == 1 ? tokens[range.lowerBound].text : tokens[range].reduce(into: "") { $0 += $1.text }
    }

    /// True unless a break divides the words; "Washington, D.C." and the full stop of "St. Paul" are allowed.
    private func isOnePiece(_ range: Range<Int>, key: String) -> Bool {
        for position in range.dropFirst() {
            switch tokens[position].separation {
            case .none: continue
            case .comma: if key != "washingtondc" { return false }
            case .sentence:
                if !(tokens[position - 1].isDotted && tokens[position - 1].text.utf8.count <= 5) { return false }
            }
        }
        // A complete word at the edge does not belong to a name written in pieces ("in diana", "me mo").
        if range.count > 1, !names.parts.contains(tokens[range.lowerBound].text) {
            let edge = vocabulary.roles[tokens[range.lowerBound].text]
            if edge != nil, edge != .city { return false }
        }
        return true
    }

    private func coordinatedStates(at start: Int) -> NameMention? {
        guard start + 3 < tokens.count, ["north", "south"].contains(tokens[start].text),
            ["and", "or", "than", "from", "to"].contains(tokens[start + 1].text),
            ["north", "south"].contains(tokens[start + 2].text), tokens[start].text != tokens[start + 2].text
        else { return nil }
        let last = tokens[start + 3].text
        guard let family = ["dakota", "carolina"].first(where: { last == $0 || last == $0 + "s" }),
            let first = names.meanings[tokens[start].text + family],
            let second = names.meanings[tokens[start + 2].text + family]
        else { return nil }
        return NameMention(
            range: start..<(start + 4), meaning: NameMeaning(states: first.states + second.states), distance: 0,
            key: family + "s")
    }

    /// Postal and traditional abbreviations.
    mutating func spotAbbreviations() {
        for position in tokens.indices where !taken[position] {
            let token = tokens[position]
            guard let row = names.abbreviations[token.text] else { continue }
            let isAmbiguous = WrittenNameTable.ambiguous.contains(token.text)
            if isAmbiguous, !isMeantAsAbbreviation(position) { continue }
            take(
                NameMention(
                    range: position..<(position + 1), meaning: NameMeaning(states: [row]), distance: 0,
                    isAmbiguous: isAmbiguous, key: token.text))
        }
    }

    /// True if an abbreviation that is also a word ("IN", "OR", "Miss.") is meant as a state.
    private func isMeantAsAbbreviation(_ position: Int) -> Bool {
        let token = tokens[position]
        let before = position > 0 ? tokens[position - 1] : nil
        let after = position + 1 < tokens.count ? tokens[position + 1] : nil
        let endsSentence = after == nil || after?.separation == .sentence
        let isAlone = before == nil && after == nil
        let links: Set<String> = [
            "of", "in", "for", "about", "from", "than", "between", "is", "are", "state", "did", "was",
        ]
        let isLinked = before.map { links.contains($0.text) } ?? false
        if isAlone { return token.isUpper || token.isDotted }
        // In a text without small letters, capitals mean nothing; the end of "capital of …" still does.
        let showsCapitals = token.isUpper && question.hasLowerCase && token.text.utf8.count <= 3
        let isAbbreviated = token.isDotted && token.text.utf8.count > 2 && token.isCapitalised
        if isAbbreviated { return true }
        if token.isPossessive { return showsCapitals || token.isDotted }
        if endsSentence, before?.text == "of", token.text != "course" {
            return token.text != "me" || showsCapitals || !question.hasLowerCase
        }
        guard showsCapitals || (token.isCapitalised && token.text.utf8.count > 2 && before != nil) || token.isDotted
        else {
            return before == nil && token.isUpper && after.map(isTopic) ?? false
        }
        if before == nil, let after, joins(after), isPlace(position + 2) { return true }
        if isLinked, endsSentence || after.map({ $0.separation != .none || isTopic($0) || joins($0) }) ?? true {
            return true
        }
        if isLinked, token.text.utf8.count <= 2, after.map({ !opensPhrase($0) }) ?? true { return true }
        if let after, isTopic(after), after.separation == .none || token.isDotted { return true }
        if let before, joins(before), endsSentence || after.map({ $0.separation != .none || isTopic($0) }) ?? true {
            return position >= 2 && isPlace(position - 2)
        }
        // "Distance TX OK", but not "capital of Texas, OK?"
        let measures = tokens.contains { $0.text == "distance" || $0.text == "far" }
        return endsSentence && token.separation == .none && before.map(isTopic) ?? false
            || measures && (before?.text == "distance" || isPlace(position - 1))
    }

    private func joins(_ token: QuestionToken) -> Bool { ["and", "or", "to"].contains(token.text) }

    private func opensPhrase(_ token: QuestionToken) -> Bool {
        ["the", "a", "an", "this", "that", "my", "what", "which"].contains(token.text)
            || names.meanings[token.text] != nil
    }

    /// True if the position has a name or an abbreviation.
    private func isPlace(_ position: Int) -> Bool {
        tokens.indices.contains(position) && (taken[position] || names.abbreviations[tokens[position].text] != nil)
    }

    private func isTopic(_ token: QuestionToken) -> Bool {
        switch vocabulary.roles[token.text] {
        case .topic, .state, .largest, .compass, .distance, .becoming: true
        default: false
        }
    }

    /// Spots misspelt names: an unknown word, or several words, one of them unknown and the others parts of names.
    mutating func spotMisspeltNames() {
        // A text with many unknown words is refused in any case.
        guard tokens.indices.count(where: { isUnknown($0) }) <= 12 else { return }
        for start in tokens.indices where !taken[start] {
            var best: NameMention?
            for count in 1...4 where start + count <= tokens.count {
                let range = start..<(start + count)
                guard isMisspelling(range) else { continue }
                guard let near = names.nearest(to: joined(range)) else { continue }
                if count == 1, let word = vocabulary.correction(of: tokens[start]), word.distance <= near.distance {
                    continue
                }
                if near.distance > (best?.distance ?? .max) { continue }
                best = NameMention(range: range, meaning: near.meaning, distance: near.distance, key: near.key)
            }
            if let best { take(best) }
        }
    }

    /// True if a known word may be inside a misspelt name: "of" in one of Columbia, but not "state".
    private func isNamePart(_ word: String, _ role: WordRole?) -> Bool {
        switch role {
        case nil, .refused, .compass, .city, .topic: true
        case .function: word == "of" || word == "and"
        default: false
        }
    }

    private func isUnknown(_ position: Int) -> Bool {
        !taken[position] && vocabulary.roles[tokens[position].text] == nil && tokens[position].number == nil
    }

    private func isMisspelling(_ range: Range<Int>) -> Bool {
        var hasUnknown = false
        for position in range {
            let token = tokens[position]
            if taken[position] || token.isForeign || token.number != nil { return false }
            if position > range.lowerBound, token.separation != .none { return false }
            let role = vocabulary.roles[token.text]
            // Beside a part of a name even "Caroline" can be a slip.
            let isKnown = role != nil || range.count == 1 && vocabulary.otherWords.contains(token.text)
            if isKnown, range.count == 1 || !names.parts.contains(token.text) || !isNamePart(token.text, role) {
                return false
            }
            if !isKnown { hasUnknown = true }
        }
        return hasUnknown
    }
}
