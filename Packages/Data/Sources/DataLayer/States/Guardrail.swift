// SPDX-License-Identifier: MIT

/// What is turned down before anything is understood: other subjects, other places, and orders to the program.
enum Guardrail {
    /// Word sequences that steer instead of asking.
    private static let phrases: [[String]] = [
        ["say", "that"], ["say", "after"], ["you", "are", "now"], ["you", "are", "a"], ["you", "are", "an"],
        ["from", "now", "on"],
        ["forget", "everything"], ["forget", "all"], ["forget", "your"], ["forget", "what"], ["forget", "the"],
        ["forget", "previous"], ["answer", "only"], ["respond", "with"], ["no", "longer"], ["as", "if"],
        ["words", "above"], ["the", "above"], ["let", "us", "say"], ["lets", "say"], ["let", "is", "say"],
        ["assume", "that"],
    ]

    /// Words after which "forget" is what happened to somebody and no order.
    private static let forgetful: Set<String> = [
        "i", "always", "keep", "never", "often", "we", "to", "might", "usually",
    ]

    /// Why the text is turned down, or `nil`.
    static func objection(to reading: QuestionReading) -> String? {
        let words = reading.words
        let texts = words.map(\.text)
        for (position, word) in words.enumerated() where word.mention == nil {
            if let phrase = phrases.first(where: { texts[position...].starts(with: $0) }),
                !(phrase[0] == "forget" && position > 0 && forgetful.contains(texts[position - 1]))
            {
                return "\"\(phrase.joined(separator: " "))\" shows \(RefusedSubject.instruction.rawValue)"
            }
            if case .refused(let subject) = word.role {
                return "\"\(word.token.text)\" shows \(subject.rawValue)"
            }
            if word.token.isForeign { return "it has words of another script" }
        }
        return nil
    }
}
