// SPDX-License-Identifier: MIT

/// What a recogniser made of one utterance.
public struct Recognition: Sendable, Equatable {
    /// One recognised word.
    public struct Word: Sendable, Equatable {
        /// The word, as the grammar spells it.
        public let text: String
        /// When it begins, from the utterance's first sample.
        public let start: Duration
        /// When it ends, from the utterance's first sample.
        public let end: Duration
        /// How much worse than free phones it fits, per 10 ms (natural logarithm; near 0 is good, −1 is bad).
        public let score: Double
    }

    /// Why an utterance was rejected.
    public struct Rejection: RawRepresentable, Sendable, Hashable {
        /// The stable name, fit for output.
        public let rawValue: String

        /// Makes a reason from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No words fit at all.
        public static let noSentence = Rejection(rawValue: "noSentence")
        /// The words hardly ever follow each other like that in the grammar's sentences.
        public static let unlikelySentence = Rejection(rawValue: "unlikelySentence")
        /// None of the words carries a meaning.
        public static let noContent = Rejection(rawValue: "noContent")
        /// The best sentence as a whole fits much worse than free phones do.
        public static let poorFit = Rejection(rawValue: "poorFit")
        /// A word that carries the meaning fits much worse than free phones do.
        public static let poorWord = Rejection(rawValue: "poorWord")
    }

    /// The verdict.
    public enum Outcome: Sendable, Equatable {
        /// The words are what was said, as far as can be told.
        case accepted
        /// Something else was said.
        case rejected(Rejection)
        /// Nothing was said.
        case silence
    }

    /// What the verdict rests on.
    public struct Scores: Sendable, Equatable {
        /// How much worse than free phones the sentence fits, per 10 ms of speech (natural logarithm).
        public let utterance: Double
        /// How likely the words are after each other, per word and one more (natural logarithm): −3 is a sentence of the grammar.
        public let sentence: Double
        /// The lowest ``Word/score`` of the words that carry meaning; 0 without one.
        public let worstContentWord: Double
        /// How many 10 ms frames of speech were looked at.
        public let speechFrames: Int
    }

    /// The words in one line; empty when nothing fits. Also there when the utterance was rejected, to explain why.
    public let text: String
    /// The words with their times and scores, without pauses.
    public let words: [Word]
    /// The verdict.
    public let outcome: Outcome
    /// How sure the verdict `accepted` is, from 0 to 1; 0 when the outcome is another.
    public let confidence: Double
    /// What the verdict rests on.
    public let scores: Scores
}

/// How badly an utterance may score and still be accepted. All limits are negative.
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

    /// Fixed by measurement on synthesised in-domain and out-of-domain speech, clean and at 20 dB noise.
    public static let `default` = RejectionThresholds(sentence: -5, utterance: -4, contentWord: -9.5)
    /// Accepts whatever the recogniser makes of an utterance.
    public static let none = RejectionThresholds(
        sentence: -.infinity, utterance: -.infinity, contentWord: -.infinity)
}
