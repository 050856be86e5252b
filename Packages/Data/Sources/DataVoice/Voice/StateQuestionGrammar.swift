// SPDX-License-Identifier: MIT

public import Diagnostics
import Domain
public import Speech
import StateKnowledge

/// The recogniser's grammar of spoken questions about states, made from the facts and from ``QuestionPatterns``.
struct StateQuestionGrammar {
    /// The grammar.
    let grammar: JSGFGrammar
    /// Words that no question needs: with them, other speech is not recognised as a question.
    let otherWords: Set<String>
    /// The words that carry a question's meaning: names and topics.
    let contentWords: Set<String>

    /// The weights of decoys relative to known names and topics.
    struct Weights {
        var decoyPlace = 0.12
        var decoyTopic = 0.04
    }

    /// Makes the grammar.
    ///
    /// - Throws: `SpeechError` with `invalidGrammar` if a pattern is malformed.
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
        let question = JSGFGrammar.Expansion.sequence([
            .optional(.rule("opening")), .optional(.rule("opening")), .rule("question"), .optional(.rule("closing")),
        ])
        grammar = JSGFGrammar(name: "states", start: question, rules: rules)
        otherWords = Set(DecoyWords.common)
        let topical = [
            "capital", "capitals", "bird", "birds", "flower", "flowers", "city", "largest", "biggest", "union", "state",
        ]
        let nameWords = Set((states + names.values.flatMap { $0 }).flatMap(Self.words)).subtracting(otherWords)
        contentWords = nameWords.union(states.compactMap { Self.words($0).last.map { $0 + "'s" } })
            .union(DecoyWords.places).union(topical)
    }

    private static func words(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }

    private static func forms(of entries: [QuestionPhrasing.Entry]) -> [String] {
        Set(entries.flatMap(\.forms)).sorted()
    }
}

/// Pronunciations that the English dictionary lacks, in its own phones (CMU's ARPAbet without stress).
enum StatePronunciations {
    static let phones: [String: [String]] = [
        "arbutus": ["AA R B Y UW T AH S"],
        "camellia": ["K AH M IY L Y AH", "K AH M IY L IY AH"],
        "chickadee": ["CH IH K AH D IY"],
        "hibiscus": ["HH AY B IH S K AH S", "HH IH B IH S K AH S"],
        "pasqueflower": ["P AE S K F L AW ER"],
        "ptarmigan": ["T AA R M IH G AH N"],
        "ruffed": ["R AH F T"],
        "syringa": ["S ER IH NG G AH", "S IH R IH NG G AH"],
        "yellowhammer": ["Y EH L OW HH AE M ER"],
    ]
}

extension GrammarRecognizer {
    /// A recogniser for spoken questions about states, with its model loaded.
    ///
    /// - Throws: `SpeechError`.
    public static func forStateQuestions(
        model: AcousticModel = .englishUS, logger: Logger = .disabled
    ) async throws -> GrammarRecognizer {
        let questions = try StateQuestionGrammar()
        return try await GrammarRecognizer(
            grammar: questions.grammar, otherWords: questions.otherWords, model: model,
            pronunciations: StatePronunciations.phones, contentWords: questions.contentWords, logger: logger)
    }
}
