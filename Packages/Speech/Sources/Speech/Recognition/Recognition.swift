// SPDX-License-Identifier: MIT

public import SpeechEngines

/// The recognition of one utterance.
public struct Recognition: Sendable, Equatable {
    /// One recognised word.
    public struct Word: Sendable, Equatable {
        /// The word, as the grammar spells it.
        public let text: String
        /// The beginning, from the utterance's first sample.
        public let start: Duration
        /// The end, from the utterance's first sample.
        public let end: Duration
        /// The fit compared with free phones, per 10 ms (natural logarithm; near 0 is good, −1 is bad).
        public let score: Double
    }

    /// The reason for a rejection.
    public struct Rejection: RawRepresentable, Sendable, Hashable {
        /// The stable text, fit for output.
        public let rawValue: String

        /// Makes a reason from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No words fit at all.
        public static let noSentence = Rejection(rawValue: "noSentence")
        /// The words hardly ever follow each other in this order in the grammar's sentences.
        public static let unlikelySentence = Rejection(rawValue: "unlikelySentence")
        /// The words do not include one that carries a meaning.
        public static let noContent = Rejection(rawValue: "noContent")
        /// The best sentence as a whole fits much worse than free phones do.
        public static let poorFit = Rejection(rawValue: "poorFit")
        /// A word that carries the meaning fits much worse than free phones do.
        public static let poorWord = Rejection(rawValue: "poorWord")
    }

    /// The verdict.
    public enum Outcome: Sendable, Equatable {
        /// The words are probably those that were said.
        case accepted
        /// Something else was said.
        case rejected(Rejection)
        /// Nothing was said.
        case silence
    }

    /// The scores behind the verdict.
    public struct Scores: Sendable, Equatable {
        /// The fit of the sentence compared with free phones, per 10 ms of speech (natural logarithm).
        public let utterance: Double
        /// The likelihood of the sequence of words, per word and one more (natural logarithm): −3 is a sentence of the
        /// grammar.
        public let sentence: Double
        /// The lowest ``Word/score`` of the words that carry meaning; 0 without one.
        public let worstContentWord: Double
        /// The number of 10 ms frames of speech that were compared.
        public let speechFrames: Int
    }

    /// The words in one line; empty if no words fit. Also present after a rejection, to explain it.
    public let text: String
    /// The words with their times and scores, without pauses.
    public let words: [Word]
    /// The verdict.
    public let outcome: Outcome
    /// The confidence of the verdict `accepted`, from 0 to 1; 0 for another outcome.
    public let confidence: Double
    /// The scores behind the verdict.
    public let scores: Scores
}

extension Recognition {
    /// The recognition by an engine that judges its words itself. Words are accepted; a text without words is rejected if
    /// its confidence is 0, and silence without a confidence. It has no scores.
    public init(_ transcription: Transcription) {
        let isSilence = transcription.confidence == nil
        self.init(
            text: transcription.text, words: [],
            outcome: !transcription.text.isEmpty ? .accepted : isSilence ? .silence : .rejected(.noSentence),
            confidence: transcription.text.isEmpty ? 0 : transcription.confidence ?? 1,
            scores: Scores(utterance: 0, sentence: 0, worstContentWord: 0, speechFrames: 0))
    }
}

/// The lowest scores with which an utterance is accepted. All limits are negative.
public struct RejectionThresholds: Sendable, Hashable {
    /// The limit for ``Recognition/Scores/sentence``.
    public var sentence: Double
    /// The limit for ``Recognition/Scores/utterance``.
    public var utterance: Double
    /// The limit for ``Recognition/Scores/worstContentWord``.
    public var contentWord: Double

    /// Makes thresholds.
    public init(sentence: Double, utterance: Double, contentWord: Double) {
        self.sentence = sentence
        self.utterance = utterance
        self.contentWord = contentWord
    }

    /// Measured on synthesised in-domain and out-of-domain speech, clean and at 20 dB noise.
    public static let `default` = RejectionThresholds(sentence: -5, utterance: -4, contentWord: -9.5)
    /// Accepts every recognition.
    public static let none = RejectionThresholds(
        sentence: -.infinity, utterance: -.infinity, contentWord: -.infinity)
}
