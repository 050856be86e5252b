// SPDX-License-Identifier: MIT

/// Measures how well a question is understood. Each unexplained word lowers the score.
struct QuestionScorer {
    /// The lowest score of a question that is answered.
    static let threshold = 0.6
    /// The factor for one unexplained word.
    static let unexplainedFactor = 0.5
    /// The factor for one unexplained word in the frame around the question.
    static let strangerFactor = 0.98
    /// The factor for one edit of a misspelt name.
    static let nameEditFactor = 0.95
    /// The factor for one edit of a misspelt word.
    static let wordEditFactor = 0.97
    /// The factor for an abbreviation that is also a word.
    static let ambiguityFactor = 0.95

    /// The score and its factors.
    struct Score {
        var value = 1.0
        var factors: [String] = []

        mutating func multiply(_ factor: Double, _ reason: String) {
            value *= factor
            factors.append("× \(rounded(factor)) \(reason)")
        }
    }

    static func score(
        _ interpretation: Interpretation, of segment: QuestionSegment, mentions: [NameMention]
    ) -> Score {
        var score = Score()
        score.multiply(interpretation.plainness, "how plainly it is asked (\(interpretation.intent))")
        for mention in mentions where segment.range.overlaps(mention.range) {
            if mention.distance > 0 {
                var factor = 1.0
                for _ in 0..<mention.distance { factor *= nameEditFactor }
                score.multiply(factor, "\(mention.distance) edits to \"\(mention.key)\"")
            }
            if mention.isAmbiguous { score.multiply(ambiguityFactor, "\"\(mention.key)\" is also a word") }
        }
        for position in segment.range {
            let word = segment.words[position]
            if word.mention != nil {
                guard interpretation.unusedNames.contains(where: { $0.lowerBound == position }) else { continue }
                score.multiply(unexplainedFactor, "the name \"\(word.text)\" plays no part")
            } else if let reason = objection(position, in: segment, interpretation) {
                score.multiply(unexplainedFactor, "\"\(word.text)\" \(reason)")
            } else if word.distance > 0 {
                score.multiply(wordEditFactor, "\"\(word.token.text)\" read as \"\(word.text)\"")
            }
        }
        return score
    }

    /// The score of a question with the unknown words of the frame around it.
    static func score(_ core: Score, strangers: [String]) -> Score {
        var score = core
        guard !strangers.isEmpty else { return score }
        var factor = 1.0
        for _ in strangers { factor *= strangerFactor }
        score.multiply(factor, "around it: \(strangers.joined(separator: " "))")
        return score
    }

    /// The reason why a word is unexplained; `nil` if it is explained.
    private static func objection(
        _ position: Int, in segment: QuestionSegment, _ interpretation: Interpretation
    ) -> String? {
        if interpretation.explained.contains(position) || segment.explained.contains(position) { return nil }
        let word = segment.words[position]
        switch word.role {
        case .function, .state, .country, .overview, .emblem: return nil
        case .context:
            // "The history of Texas", "Ohio's school": the word is what is asked about.
            let isSubject =
                segment.text(position + 1) == "of"
                || segment.places.contains { $0.isPossessive && $0.range.upperBound == position }
                || isThing(position, in: segment) || isShape(position, in: segment)
            return interpretation.allowsContext && !isSubject ? nil : "is about something else"
        case .none: return isHarmless(position, in: segment) ? nil : "is not accounted for"
        default: return isHarmless(position, in: segment) ? nil : "has no part in it"
        }
    }

    /// "50 states", "fifth grade": numbers without a meaning for the question.
    private static func isHarmless(_ position: Int, in segment: QuestionSegment) -> Bool {
        let next = segment.range.contains(position + 1) ? segment.words[position + 1] : nil
        if segment.words[position].token.number != nil || ["fifty", "thirteen"].contains(segment.text(position)) {
            if next?.role == .state || next?.role == .country { return true }
        }
        if isSolutionLength(position, in: segment) { return true }
        if segment.words[position].token.number != nil {
            if next?.text == "census" { return true }
            // "Texas 2 Ohio".
            return segment.text(position) == "2" && segment.has(.distance) && next?.mention != nil
        }
        if ["live", "lives", "lived", "living"].contains(segment.text(position)) {
            // The person lives in a state that the next question is about.
            return segment.topics.isEmpty && next?.text == "in" && !segment.says("who", "what", "which", "where", "how")
        }
        if ["people", "residents", "citizens"].contains(segment.text(position)), segment.has(.emblem) {
            return ["of", "in"].contains(next?.text)
        }
        if let ordinal = Ordinals.ordinal(segment.words[position...].prefix(2).map(\.text)[...]), ordinal.value > 0 {
            // "The third state to join after 1800" is counted from the date on.
            if next?.role == .state, segment.topics.contains(where: { $0.topic == .admission }),
                DateMention.first(in: segment.words.map(\.text), segment.range) == nil
            {
                return true
            }
        }
        return ["grade", "grader", "graders"].contains(next?.text)
    }

    /// "A bird of Texas tattoo": the noun after a name is the real subject.
    private static func isThing(_ position: Int, in segment: QuestionSegment) -> Bool {
        let things: Set<String> = [
            "game", "games", "tattoo", "shirt", "mug", "sticker", "quilt", "craft", "crafts", "drawing", "app",
            "poster",
            "stamp", "stamps", "book", "podcast", "blog", "article", "speech", "club", "tour", "trip", "trips", "camp",
            "show", "essay", "party", "family", "job", "jobs", "school", "schools", "vacation", "pub", "army", "navy",
            "truck", "trucks", "drivers", "teacher", "teachers", "host", "record", "records", "scouts", "store", "desk",
            "item", "items", "exam", "application", "license", "textbook",
        ]
        guard things.contains(segment.text(position)), position > segment.range.lowerBound,
            segment.words[position].token.separation == .none
        else { return false }
        let before = segment.words[position - 1]
        return before.mention != nil || before.role?.isTopic == true || before.role == .city
    }

    /// "As a riddle", "on a shirt": the form or the place of the answer, after the question.
    private static func isShape(_ position: Int, in segment: QuestionSegment) -> Bool {
        guard ["a", "an", "some"].contains(segment.text(position - 1)),
            let topic = segment.topics.first, topic.position < position
        else { return false }
        return ["as", "on", "into", "like"].contains(segment.text(position - 2))
            && !["test", "quiz", "exam", "worksheet"].contains(segment.text(position))
    }

    /// "Five letters", "(6)": the length of a crossword's solution, after the question.
    private static func isSolutionLength(_ position: Int, in segment: QuestionSegment) -> Bool {
        guard !segment.topics.isEmpty || !segment.places.isEmpty else { return false }
        let numbers: Set<String> = [
            "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        ]
        func counts(_ position: Int) -> Bool {
            guard segment.range.contains(position) else { return false }
            return segment.words[position].token.number.map { (3...20).contains($0) }
                ?? numbers.contains(segment.text(position))
        }
        if segment.text(position) == "letters" || segment.text(position) == "letter" { return counts(position - 1) }
        guard counts(position) else { return false }
        let isSeparate = segment.words[position].token.separation != .none && position > segment.range.lowerBound
        return ["letters", "letter"].contains(segment.text(position + 1))
            || isSeparate && position == segment.range.last
    }

    static func rounded(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Two decimals.
private func rounded(_ value: Double) -> String { QuestionScorer.rounded(value) }
