// SPDX-License-Identifier: MIT

/// The evaluation of a recording of a known text, read aloud. All numbers are finite, so it can be JSON.
public struct ReadingEvaluation: Codable, Hashable, Sendable {
    /// The words in the order of the text and of speaking; nil if ``wordsUnavailable`` has a reason.
    public internal(set) var words: [JudgedWord]?
    /// The reason that ``words`` is nil.
    public internal(set) var wordsUnavailable: WordsUnavailable?
    /// The number of expected words that were replaced by another one. Each counts as one missed and one inserted word.
    public internal(set) var substitutions = 0

    /// The length of the recording, in seconds.
    public internal(set) var duration = 0.0
    /// The start of the first speech, in seconds from the start of the recording; nil without speech.
    public internal(set) var speechStart: Double?
    /// The time from the first speech to the last, pauses included, in seconds; 0 without speech.
    public internal(set) var speechDuration = 0.0
    /// The same without pauses.
    public internal(set) var voicedDuration = 0.0
    /// The pauses between the first speech and the last that are no shorter than
    /// `ReadingEvaluator.Configuration.shortestPause`.
    public internal(set) var pauses: [Pause] = []

    /// The integrated loudness in LUFS (ITU-R BS.1770-4); nil if everything is below its gate of −70 LUFS or the
    /// recording is shorter than 400 ms.
    public internal(set) var integratedLoudness: Double?
    /// The loudness range in LU (EBU Tech 3342); nil for less than 3 s.
    public internal(set) var loudnessRange: Double?
    /// The highest level, also between samples, in dBTP (ITU-R BS.1770-4, annex 2); nil for digital silence.
    public internal(set) var truePeak: Double?
    /// Samples in runs of three and more of one channel at the same end of full scale (32767/32768 and above), in the
    /// recording's own format. A lossy codec moves samples, so that it hides clipping.
    public internal(set) var clippedSamples = 0
    /// The share of ``clippedSamples`` in all samples, 0 to 1.
    public internal(set) var clippedShare = 0.0
    /// The root mean square of the sound at least 100 ms away from speech, in dBFS (a full-scale square wave is 0), of
    /// the mono sum at 16 kHz, from −120; nil for less than 200 ms of such sound.
    public internal(set) var noiseLevel: Double?
    /// The power of speech, without the background's, over the background's, in dB, up to 120; nil without speech,
    /// without ``noiseLevel``, or if speech is no louder.
    public internal(set) var signalToNoise: Double?

    /// A pause between two words.
    public struct Pause: Codable, Hashable, Sendable {
        /// The start, in seconds from the start of the recording.
        public let start: Double
        /// The duration, in seconds.
        public let duration: Double
    }

    /// The reason that words could not be judged. More reasons may be added: match with a default.
    public struct WordsUnavailable: RawRepresentable, Codable, Sendable, Hashable {
        /// The stable text, fit for output.
        public let rawValue: String

        /// Makes a reason from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The language has no recogniser on this machine.
        public static let languageNotRecognized = WordsUnavailable(rawValue: "languageNotRecognized")
        /// The recogniser's model is not installed; for English, the package pocketsphinx-en-us.
        public static let modelMissing = WordsUnavailable(rawValue: "modelMissing")
        /// No word of the text has a pronunciation.
        public static let textUnknown = WordsUnavailable(rawValue: "textUnknown")
    }
}

extension ReadingEvaluation {
    /// True if the recording has speech.
    public var hasSpeech: Bool { voicedDuration > 0 }

    /// The number of words with a verdict.
    public func count(_ verdict: JudgedWord.Verdict) -> Int { words?.count { $0.verdict == verdict } ?? 0 }

    /// The word error rate: missed and inserted words, substitutions counted once, over the judged words of the text.
    /// It can exceed 1; nil if no word was judged.
    public var wordErrorRate: Double? {
        let expected = count(.right) + count(.missed)
        return expected > 0
            ? Double(count(.missed) + count(.inserted) - substitutions) / Double(expected) : nil
    }

    /// Words that were said, right or not, per minute from the first speech to the last; nil without such words.
    public var wordsPerMinute: Double? { perMinute(count(.right) + count(.inserted)) }

    /// Right words per minute from the first speech to the last, a measure of reading fluency; nil without any said
    /// words.
    public var rightWordsPerMinute: Double? { wordsPerMinute == nil ? nil : perMinute(count(.right), least: 0) }

    private func perMinute(_ count: Int, least: Int = 1) -> Double? {
        words != nil && speechDuration > 0 && count >= least ? Double(count) * 60 / speechDuration : nil
    }
}

/// A word of a text, or an inserted one.
public struct JudgedWord: Codable, Hashable, Sendable {
    /// The judgement of a word.
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// Said as in the text.
        case right
        /// In the text, and not said; another word may have been said in its place, which follows as `inserted`.
        case missed
        /// Said, and not in the text.
        case inserted
        /// In the text, and without a pronunciation, so that it cannot be judged.
        case unjudged
    }

    /// The judgement of the word.
    public let verdict: Verdict
    /// The word in lower case as it is spoken ("twenty" for the 20 of the text), for an inserted one as it was
    /// recognised; nil for an inserted word that the recogniser does not know.
    public let text: String?
    /// The range of the text that the word is made from: UTF-8 offsets. Several words may share a range ("21"); nil for
    /// an inserted word.
    public let source: Range<Int>?
    /// The start, in seconds from the start of the recording; nil if it was not heard.
    public let start: Double?
    /// The end, in seconds from the start of the recording; nil if it was not heard.
    public let end: Double?
}
