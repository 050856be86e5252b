// SPDX-License-Identifier: MIT

/// A question after the look-up of its words.
struct QuestionReading {
    /// One word and its look-up's result.
    struct Word {
        /// The word as it was written.
        var token: QuestionToken
        /// The known word if this is a misspelling of it; otherwise the word itself.
        var text: String
        /// The word's role; `nil` if it is unknown.
        var role: WordRole?
        /// The name that it is part of, as an index of ``QuestionReading/mentions``.
        var mention: Int?
        /// The number of edits to the known word.
        var distance = 0
    }

    /// The words in order.
    var words: [Word]
    /// The names in order.
    var mentions: [NameMention]
}

/// Looks up the words of a question: names first, the longest first, then words, then misspellings of either.
struct QuestionReader {
    let names: NameIndex
    let vocabulary: Vocabulary

    func read(_ question: TokenisedQuestion) -> QuestionReading {
        let tokens = question.tokens
        var spotter = NameSpotter(names: names, vocabulary: vocabulary, question: question)
        spotter.spotExactNames()
        spotter.spotAbbreviations()
        spotter.spotMisspeltNames()
        let mentions = spotter.mentions.sorted { $0.range.lowerBound < $1.range.lowerBound }
        var words = tokens.map { token in
            QuestionReading.Word(token: token, text: token.text, role: vocabulary.role(of: token))
        }
        for (index, mention) in mentions.enumerated() {
            for position in mention.range {
                words[position].mention = index
                words[position].role = nil
            }
        }
        for position in words.indices where words[position].mention == nil && words[position].role == nil {
            guard let known = vocabulary.correction(of: tokens[position]) else { continue }
            words[position].text = known.word
            words[position].role = vocabulary.roles[known.word]
            words[position].distance = known.distance
        }
        markIdioms(in: &words)
        markUnitedStates(in: &words)
        // A full stop behind an abbreviation does not end the sentence.
        for position in words.indices.dropFirst() where words[position].token.separation == .sentence {
            let before = words[position - 1]
            guard before.token.isDotted, let mention = before.mention, before.token.text.utf8.count <= 6,
                mentions[mention].key.utf8.count <= 5 || !mentions[mention].key.hasSuffix(before.token.text)
            else { continue }
            words[position].token.separation = .none
        }
        return QuestionReading(words: words, mentions: mentions)
    }

    private func markIdioms(in words: inout [QuestionReading.Word]) {
        for start in words.indices {
            for (idiom, role) in IdiomTable.idioms
            where words[start].text == idiom[0] && start + idiom.count <= words.count {
                let range = start..<(start + idiom.count)
                guard words[range].elementsEqual(idiom, by: { $0.mention == nil && $0.text == $1 }) else { continue }
                for position in range { words[position].role = role }
            }
        }
    }

    /// "United States" is the country, "states" alone is not; so is "the us" without capitals.
    private func markUnitedStates(in words: inout [QuestionReading.Word]) {
        for position in words.indices.dropFirst() where words[position].mention == nil {
            let before = words[position - 1]
            if before.text == "united", words[position].role == .state {
                words[position - 1].role = .country
                words[position].role = .country
            } else if words[position].text == "us", before.mention == nil, before.text == "the" {
                words[position].role = .country
            }
        }
    }
}

extension Vocabulary {
    /// The role of a word in its spelling; "US" in capitals is the country, "us" is not.
    func role(of token: QuestionToken) -> WordRole? {
        if token.text == "us", token.isUpper || token.isDotted { return .country }
        if token.isForeign { return nil }
        return roles[token.text]
    }

    /// The known word that an unknown one misspells.
    func correction(of token: QuestionToken) -> (word: String, distance: Int)? {
        guard !token.isForeign, token.number == nil, !otherWords.contains(token.text) else { return nil }
        let bytes = Array(token.text.utf8)
        guard bytes.count >= 3, bytes.count <= 16 else { return nil }
        var best: (word: String, distance: Int)?
        for (word, known) in Self.correctable {
            if bytes[0] != known[0], bytes[1] != known[0] { continue }
            let limit = min(bytes.count, known.count) >= 7 ? 2 : 1
            guard let distance = EditDistance.between(bytes, known, limit: min(limit, best?.distance ?? limit)) else {
                continue
            }
            // Among short words only swapped letters are safe.
            if known.count <= 3, bytes.sorted() != known.sorted() { continue }
            if best == nil || distance < (best?.distance ?? 0) { best = (word, distance) }
        }
        return best
    }
}
