// SPDX-License-Identifier: MIT

public import Diagnostics
import LocalIntents
public import Speech
import StateKnowledge

/// The recogniser's grammar of what ``LocalIntents`` reads.
struct SpokenIntentGrammar {
    /// The grammar.
    let grammar: JSGFGrammar
    /// The words of intents, without those of other sentences.
    let words: Set<String>

    /// Sentences that begin as an intent does and are none: with them, such a sentence is not taken for the intent.
    private static let decoys = """
        (start | stop | set | cancel | check | change | turn on | turn off | turn down | turn up) [the | my | a] <thing> \
        | what is [the | a] <thing> | what is the (day | time | root | volume) of [the | a] <thing> \
        | what time (is | does) the <thing> | how (many | much | long | far) (<thing> | is the <thing>) \
        | how (many | much) (minutes | feet | days | miles | cups) (do | does | of) [the | a] <thing> \
        | how (are | old | do | does) [you | the | a] <thing> \
        | (remind me of | wake me up | repeat | speak of | speak | spell | help | tell me | say | convert) [the | a | my] <thing> \
        | (i | you | it | he | we) [am | was | is | have] <thing> (in | for | to) [the | a] | [not | the | a] <thing>
        """
    private static let decoyWeight = 0.25

    /// - Throws: `SpeechError` with `invalidGrammar` if a pattern is malformed.
    init() throws {
        let intents = IntentGrammar()
        var rules: [String: JSGFGrammar.Expansion] = [:]
        for (name, pattern) in intents.rules { rules[name] = try .init(pattern: pattern) }
        rules["opening"] = try .init(pattern: intents.opening)
        rules["closing"] = try .init(pattern: intents.closing)
        rules["phrase"] = .weighted(try intents.sentences.map { ($0.weight, try .init(pattern: $0.pattern)) })
        let words = JSGFGrammar(name: "intents", start: .rule("phrase"), rules: rules).words
        self.words = words
        rules["thing"] = .choice(
            (DecoyWords.common + DecoyWords.topics).filter { !words.contains($0) }.map { .word($0) })
        let intent = JSGFGrammar.Expansion.sequence([
            .optional(.rule("opening")), .rule("phrase"), .optional(.rule("closing")),
        ])
        grammar = JSGFGrammar(
            name: "intents", start: .weighted([(1, intent), (Self.decoyWeight, try .init(pattern: Self.decoys))]),
            rules: rules)
    }
}

/// Pronunciations of the intents' words that the English dictionary lacks.
private let intentPronunciations = [
    "unmute": ["AH N M Y UW T"], "shush": ["SH AH SH"], "spelt": ["S P EH L T"], "loudness": ["L AW D N AH S"],
]

extension GrammarRecognizer {
    /// A recogniser for questions about states and for local intents, with its model loaded.
    ///
    /// - Throws: `SpeechError`.
    public static func forAssistant(
        model: AcousticModel = .englishUS, logger: Logger = .disabled
    ) async throws -> GrammarRecognizer {
        let states = try StateQuestionGrammar()
        let knowledge = StateKnowledgeBase()
        let reader = IntentReader()
        let intents = try SpokenIntentGrammar()
        let isIntent = { @Sendable (text: String) in
            text.split(separator: " ").allSatisfy { intents.words.contains(String($0)) } && reader.read(text) != nil
        }
        return try await GrammarRecognizer(
            subjects: [
                RecognitionSubject(
                    grammar: states.grammar, otherWords: states.otherWords, contentWords: states.contentWords,
                    isSentence: { (try? knowledge.answer($0)) != nil }),
                RecognitionSubject(
                    grammar: intents.grammar, otherWords: states.otherWords,
                    rejection: RejectionThresholds(sentence: -6, utterance: -5, contentWord: -.infinity),
                    isSentence: isIntent),
            ], model: model,
            pronunciations: StatePronunciations.phones.merging(intentPronunciations) { states, _ in states },
            logger: logger)
    }
}
