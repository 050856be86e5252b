// SPDX-License-Identifier: MIT

/// Sentences about one subject, with a language model of their own.
///
/// A recogniser decodes an utterance once for each subject. One model of all would blur them: a word of one subject
/// would be likely after any word of another.
public struct RecognitionSubject: Sendable {
    /// The sentences.
    public let grammar: JSGFGrammar
    /// Words that may also be said, anywhere, though they are in no sentence; they keep other utterances from looking
    /// like a sentence.
    public let otherWords: Set<String>
    /// The words that carry the meaning, each of which has to fit well.
    public let contentWords: Set<String>
    /// The lowest scores with which an utterance is accepted.
    public let rejection: RejectionThresholds
    /// True for words that the caller understands as a sentence of the subject.
    public let isSentence: @Sendable (String) -> Bool

    /// Makes a subject.
    ///
    /// - Parameter isSentence: Called on the recogniser's queue, for a subject after the first with up to a hundred
    ///   hypotheses of an utterance.
    public init(
        grammar: JSGFGrammar, otherWords: Set<String> = [], contentWords: Set<String> = [],
        rejection: RejectionThresholds = .default, isSentence: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.grammar = grammar
        self.otherWords = otherWords
        self.contentWords = contentWords
        self.rejection = rejection
        self.isSentence = isSentence
    }
}

/// The recognition of an utterance by one subject's model.
struct SubjectHypothesis {
    let subject: RecognitionSubject
    let recognition: Recognition

    /// The least advance over a first subject without a sentence, and over one with a sentence. Natural logarithm.
    private static let advances = (other: -50.0, sentence: 50.0)
    /// The advance counts up to here, and so much against the scores per frame and per word.
    private static let advanceLimit = 200.0
    private static let advanceWeight = 0.006
    /// The least sum of the scores. Either score alone separates much worse.
    private static let leastSum = -6.5
    /// The confidence of a sentence that no other subject's can be better than.
    private static let clearConfidence = 0.7

    init(_ subject: RecognitionSubject, _ recognition: Recognition) {
        self.subject = subject
        self.recognition = recognition
    }

    private var isSentence: Bool { recognition.outcome == .accepted && subject.isSentence(recognition.text) }

    /// True for a sentence that is far from being rejected.
    var isClear: Bool { recognition.confidence >= Self.clearConfidence && isSentence }

    /// The fit and the likelihood of the words together, as the decoder weighs them.
    private var evidence: Double {
        let scores = recognition.scores
        return scores.utterance * Double(scores.speechFrames)
            + PocketSphinxDecoder.languageWeight * scores.sentence * Double(recognition.words.count + 1)
    }

    /// True if it fits well by itself and in comparison.
    ///
    /// To the first subject's model any speech is some mixture of its words, and so its hypothesis shows how well other
    /// speech would fit.
    func isBetter(than first: SubjectHypothesis) -> Bool {
        guard recognition.outcome == .accepted else { return false }
        let advance = evidence - first.evidence
        let scores = recognition.scores
        return scores.utterance + scores.sentence + Self.advanceWeight * min(advance, Self.advanceLimit) > Self.leastSum
            && advance > (first.isSentence ? Self.advances.sentence : Self.advances.other)
    }

    /// The hypothesis if it is a sentence, else with the words of the best path that is one; nil without such a path.
    func orSentence(among paths: () -> [[PocketSphinxDecoder.Segment]]) -> SubjectHypothesis? {
        if isSentence { return self }
        var seen: Set<String> = [recognition.text]
        for path in paths() {
            // A path has no scores of its words: they get that of the utterance.
            let words = path.filter { !RecognitionScorer.isFiller($0.word) }.map {
                Recognition.Word(
                    text: RecognitionScorer.spelling($0.word), start: .milliseconds(10 * $0.frames.lowerBound),
                    end: .milliseconds(10 * ($0.frames.upperBound + 1)), score: recognition.scores.utterance)
            }
            let text = words.map(\.text).joined(separator: " ")
            guard seen.insert(text).inserted, subject.isSentence(text) else { continue }
            return SubjectHypothesis(
                subject,
                Recognition(
                    text: text, words: words, outcome: recognition.outcome, confidence: recognition.confidence,
                    scores: recognition.scores))
        }
        return nil
    }
}
