// SPDX-License-Identifier: MIT

/// Refuses other subjects, other places, and orders to the program, before the question is interpreted.
enum Guardrail {
    /// Word sequences that give an order to the program.
    private static let phrases: [[String]] = [
        ["say", "that"], ["say", "after"], ["you", "are", "now"], ["you", "are", "a"], ["you", "are", "an"],
        ["from", "now", "on"],
        ["forget", "everything"], ["forget", "all"], ["forget", "your"], ["forget", "what"], ["forget", "the"],
        ["forget", "previous"], ["answer", "only"], ["respond", "with"], ["no", "longer"], ["as", "if"],
        ["words", "above"], ["the", "above"], ["let", "us", "say"], ["lets", "say"], ["let", "is", "say"],
        ["assume", "that"],
    ]

    /// Words after which "forget" is an experience and not an order.
    private static let forgetful: Set<String> = [
        "i", "always", "keep", "never", "often", "we", "to", "might", "usually",
    ]

    /// Verbs for tasks that the program cannot do, at the start of a sentence and with an object.
    private static let works: Set<String> = [
        "draw", "drive", "plan", "write", "visit", "move", "camp", "hike", "call", "practice", "mix", "stamp", "blog",
        "pack", "work",
    ]
    private static let objects: Set<String> = ["me", "my", "the", "a", "an", "our", "us", "to", "him", "her", "about"]

    private static func isOrder(_ words: [QuestionReading.Word], _ position: Int) -> Bool {
        guard works.contains(words[position].text), case .context? = words[position].role ?? .context,
            position + 1 < words.count, objects.contains(words[position + 1].text)
        else { return false }
        // "Write the capital of Ohio" fills in a form.
        if words[position].text == "write", words[position + 1].text == "the" { return false }
        return position == 0 || words[position].token.separation != .none
            || ["please", "and", "then", "you", "now"].contains(words[position - 1].text)
    }

    /// "The Arizona Cardinals" are a team.
    private static func isTeam(_ words: [QuestionReading.Word], _ position: Int) -> Bool {
        position > 0 && words[position].mention != nil && words[position].text == "cardinals"
            && words[position].token.isCapitalised && !words[position].token.isUpper
            && words[position - 1].mention != nil
    }

    /// The reason for refusing the text, or `nil`.
    ///
    /// Words of `tolerated` are left to the scorer, which treats them as unknown.
    static func objection(to reading: QuestionReading, tolerating tolerated: Set<String>) -> String? {
        let words = reading.words
        let texts = words.map(\.text)
        for (position, word) in words.enumerated() {
            if isTeam(words, position) { return "it is about a team" }
            guard word.mention == nil else { continue }
            if isOrder(words, position) { return "\"\(word.text)\" shows \(RefusedSubject.instruction.rawValue)" }
            if let phrase = phrases.first(where: { texts[position...].starts(with: $0) }),
                !(phrase[0] == "forget" && position > 0 && forgetful.contains(texts[position - 1]))
            {
                return "\"\(phrase.joined(separator: " "))\" shows \(RefusedSubject.instruction.rawValue)"
            }
            if case .refused(let subject) = word.role, !tolerated.contains(word.text) {
                return "\"\(word.token.text)\" shows \(subject.rawValue)"
            }
            if word.token.isForeign { return "it has words of another script" }
        }
        return nil
    }
}
