// SPDX-License-Identifier: MIT

import Domain
import Speech

/// The recogniser's grammar of spoken questions about states, made from the facts and from ``QuestionPatterns``.
struct StateQuestionGrammar {
    /// The grammar.
    let grammar: JSGFGrammar
    /// The words that carry a question's meaning: names and topics.
    let contentWords: Set<String>

    /// How likely decoys are against states, and loose word order against the patterns.
    struct Weights {
        var decoyPlace = 0.3
        var decoyTopic = 0.1
        var looseWords = 0.02
        var continuation = 0.9
    }

    /// Makes the grammar.
    ///
    /// - Throws: `SpeechError` with `invalidGrammar` when a pattern is malformed.
    init(weights: Weights = Weights()) throws {
        var rules: [String: JSGFGrammar.Expansion] = [:]
        let states = Self.forms(of: QuestionPhrasing.spokenStates)
        let names = [
            "capital": Self.forms(of: QuestionPhrasing.spokenCapitals),
            "largestCity": Self.forms(of: QuestionPhrasing.spokenLargestCities),
            "bird": Self.forms(of: QuestionPhrasing.spokenBirds),
            "flower": Self.forms(of: QuestionPhrasing.spokenFlowers),
        ]
        for (name, forms) in names { rules[name] = .choice(forms.map { .words($0) }) }
        for (name, pattern) in QuestionPatterns.parts { rules[name] = try .init(pattern: pattern) }
        let decoys = JSGFGrammar.Expansion.choice(DecoyWords.places.map { .word($0) })
        rules["state"] = .weighted([(1, .choice(states.map { .words($0) })), (weights.decoyPlace, decoys)])
        rules["states"] = .weighted([
            (1, .choice(states.map { .words($0 + "'s") })),
            (weights.decoyPlace, .choice(DecoyWords.places.map { .word($0 + "'s") })),
        ])
        rules["anyTopic"] = .weighted([
            (1, try .init(pattern: QuestionPatterns.parts["topic"] ?? "")),
            (weights.decoyTopic, .choice(DecoyWords.topics.map { .word($0) })),
        ])
        var questions: [(weight: Double, JSGFGrammar.Expansion)] = []
        for (weight, pattern) in QuestionPatterns.questions {
            let pattern = pattern.replacing("<topic>", with: "<anyTopic>")
                .replacing("<whichState's>", with: "(which | what) state's")
            questions.append((weight, try .init(pattern: pattern)))
        }
        rules["question"] = .weighted(questions)
        let orderly = JSGFGrammar.Expansion.sequence([
            .optional(.rule("opening")), .optional(.rule("opening")), .rule("question"), .optional(.rule("closing")),
        ])
        let patternWords = JSGFGrammar(name: "parts", start: orderly, rules: rules).words
        rules["anyWord"] = .weighted([
            (3, .choice(patternWords.union(DecoyWords.common).sorted().map { .word($0) })),
            (1, .rule("state")),
        ])
        let loose = JSGFGrammar.Expansion.sequence([.rule("anyWord"), .repeated(.rule("anyWord"))])
        grammar = JSGFGrammar(
            name: "states", start: .weighted([(1, orderly), (weights.looseWords, loose)]), rules: rules)
        let topical = [
            "capital", "bird", "flower", "city", "largest", "biggest", "union", "admitted", "far", "distance",
        ]
        contentWords = Set((states + names.values.flatMap { $0 }).flatMap { $0.split(separator: " ").map(String.init) })
            .union(states.compactMap { $0.split(separator: " ").last.map { $0 + "'s" } }).union(topical)
    }

    private static func forms(of entries: [QuestionPhrasing.Entry]) -> [String] {
        Set(entries.flatMap(\.forms)).sorted()
    }
}
