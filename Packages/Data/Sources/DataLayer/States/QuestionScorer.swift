// SPDX-License-Identifier: MIT

/// Weighs how well a question is understood. Every word is accounted for, or it counts against the question.
struct QuestionScorer {
    /// Below this, a question is turned down.
    static let threshold = 0.6
    /// What one word that is not accounted for leaves of the score.
    static let unexplainedFactor = 0.5
    /// What one edit of a misspelt name leaves of the score.
    static let nameEditFactor = 0.95
    /// What one edit of a misspelt word leaves of the score.
    static let wordEditFactor = 0.97
    /// What an abbreviation that is also a word leaves of the score.
    static let ambiguityFactor = 0.95

    /// The score and what it is made of.
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

    /// Why a word is not accounted for, or `nil` when it is.
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
            return interpretation.allowsContext && !isSubject ? nil : "is about something else"
        case .none: return isHarmless(position, in: segment) ? nil : "is not accounted for"
        default: return isHarmless(position, in: segment) ? nil : "has no part in it"
        }
    }

    /// "50 states", "fifth grade": numbers that count nothing that is asked.
    private static func isHarmless(_ position: Int, in segment: QuestionSegment) -> Bool {
        let next = segment.range.contains(position + 1) ? segment.words[position + 1] : nil
        if segment.words[position].token.number != nil || ["fifty", "thirteen"].contains(segment.text(position)) {
            return next?.role == .state || next?.role == .country
        }
        if ["live", "lives", "lived", "living"].contains(segment.text(position)) {
            // Somebody lives in a state that the next question is about.
            return segment.topics.isEmpty && next?.text == "in" && !segment.says("who", "what", "which", "where", "how")
        }
        if ["people", "residents", "citizens"].contains(segment.text(position)), segment.has(.emblem) {
            return ["of", "in"].contains(next?.text)
        }
        if let ordinal = Ordinals.ordinal(segment.words[position...].prefix(2).map(\.text)[...]), ordinal.value > 0 {
            if next?.role == .state, segment.topics.contains(where: { $0.topic == .admission }) { return true }
        }
        return ["grade", "grader", "graders"].contains(next?.text)
    }

    static func rounded(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Two decimals.
private func rounded(_ value: Double) -> String { QuestionScorer.rounded(value) }
