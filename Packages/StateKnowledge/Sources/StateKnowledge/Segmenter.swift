// SPDX-License-Identifier: MIT

/// Cuts a text into its questions.
enum Segmenter {
    private static let starters: Set<String> = [
        "what", "which", "where", "when", "who", "whose", "how", "is", "does", "did", "are", "was", "tell", "give",
        "name",
        "can", "could", "show",
    ]

    /// The questions in order; together they cover every word.
    static func split(_ reading: QuestionReading) -> [Range<Int>] {
        let words = reading.words
        guard !words.isEmpty else { return [] }
        var starts = [0]
        for position in words.indices.dropFirst() where opensSegment(words, position) { starts.append(position) }
        var ranges: [Range<Int>] = []
        for (index, start) in starts.enumerated() {
            ranges.append(start..<(index + 1 < starts.count ? starts[index + 1] : words.count))
        }
        // A part without a question and a name belongs to the part before it; at the beginning, to the part after it.
        var merged: [Range<Int>] = []
        for range in ranges {
            if let last = merged.last,
                !hasContent(words, range) || !hasContent(words, last) || completes(reading, last, range)
            {
                merged[merged.count - 1] = last.lowerBound..<range.upperBound
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private static func opensSegment(_ words: [QuestionReading.Word], _ position: Int) -> Bool {
        let word = words[position]
        if let mention = word.mention, words[position - 1].mention == mention { return false }
        if word.token.separation == .sentence { return true }
        guard word.mention == nil else { return false }
        if starters.contains(word.text) {
            let before = words[position - 1]
            // "tell me what …" and "do you know which …" are one question.
            return word.token.separation == .comma && before.mention != nil
                || word.token.separation == .comma && hasContent(words, 0..<position)
        }
        guard ["and", "also", "plus", "then"].contains(word.text), position + 1 < words.count else { return false }
        let next = words[position + 1]
        return next.mention == nil && (starters.contains(next.text) || next.text == "also")
    }

    /// "From Texas, how far is Ohio?": a comparison may have its places in both parts.
    private static func completes(
        _ reading: QuestionReading, _ first: Range<Int>, _ second: Range<Int>
    ) -> Bool {
        let words = reading.words
        let asksNothing = first.allSatisfy { position in
            switch words[position].role {
            case nil: words[position].mention != nil
            case .function, .relation, .state, .city: true
            default: false
            }
        }
        guard asksNothing else { return false }
        // "Bismarck: which state's capital is that?"
        let named = reading.mentions.filter { first.overlaps($0.range) }
        if !named.isEmpty, named.allSatisfy({ $0.meaning.states.isEmpty }) { return true }
        return second.contains { position in
            switch words[position].role {
            case .distance, .compass, .order, .largest: true
            default: false
            }
        }
    }

    private static func hasContent(_ words: [QuestionReading.Word], _ range: Range<Int>) -> Bool {
        range.contains { position in
            if words[position].mention != nil { return true }
            switch words[position].role {
            case .topic, .distance, .extreme, .government, .largest, .becoming: return true
            default: return false
            }
        }
    }
}
