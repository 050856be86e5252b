// SPDX-License-Identifier: MIT

/// What can be said of a recording in which somebody reads a known text. All numbers are finite, so it can be JSON.
public struct ReadingEvaluation: Codable, Hashable, Sendable {
    /// The words in the order in which they stand in the text or were said; nil when ``wordsUnavailable`` says why.
    public internal(set) var words: [JudgedWord]?
    /// Why ``words`` is nil.
    public internal(set) var wordsUnavailable: WordsUnavailable?
    /// How many expected words had another one said in their place. Each counts as one missed and one inserted word.
    public internal(set) var substitutions = 0

    /// The length of the recording, in seconds.
    public internal(set) var duration = 0.0
    /// When the first voice is heard, in seconds from the start; nil when none is.
    public internal(set) var speechStart: Double?
    /// From the first voice to the last, pauses included, in seconds; 0 when nothing was heard.
    public internal(set) var speechDuration = 0.0
    /// The same without pauses.
    public internal(set) var voicedDuration = 0.0
    /// The pauses between the first voice and the last that are no shorter than `ReadingEvaluator.Configuration.shortestPause`.
    public internal(set) var pauses: [Pause] = []

    /// The integrated loudness in LUFS (ITU-R BS.1770-4); nil when everything lies below its gate of −70 LUFS or the recording
    /// is shorter than 400 ms.
    public internal(set) var integratedLoudness: Double?
    /// The loudness range in LU (EBU Tech 3342); nil for less than 3 s.
    public internal(set) var loudnessRange: Double?
    /// The highest level between samples too, in dBTP (ITU-R BS.1770-4, annex 2); nil for digital silence.
    public internal(set) var truePeak: Double?
    /// Samples in runs of three and more of one channel that stand at the same end of full scale (32767/32768 and above), in
    /// the recording's own format. A lossy codec moves samples, so that it hides clipping.
    public internal(set) var clippedSamples = 0
    /// ``clippedSamples`` of all samples, 0 to 1.
    public internal(set) var clippedShare = 0.0
    /// The root mean square of what is at least 100 ms away from speech, in dBFS (a full-scale square wave is 0), of the mono
    /// sum at 16 kHz, from −120; nil when there are less than 200 ms of it.
    public internal(set) var noiseLevel: Double?
    /// The power of speech, without the background's, to the background's, in dB, up to 120; nil without speech, without
    /// ``noiseLevel``, or when speech is no louder.
    public internal(set) var signalToNoise: Double?

    /// A pause between two words.
    public struct Pause: Codable, Hashable, Sendable {
        /// When it begins, in seconds from the start of the recording.
        public let start: Double
        /// How long it is, in seconds.
        public let duration: Double
    }

    /// Why words could not be judged. More reasons may come: match with a default.
    public struct WordsUnavailable: RawRepresentable, Codable, Sendable, Hashable {
        /// The stable name, fit for output.
        public let rawValue: String

        /// Makes a reason from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No recogniser for the language is to be had here.
        public static let languageNotRecognized = WordsUnavailable(rawValue: "languageNotRecognized")
        /// The recogniser's model is not installed; for English, the package pocketsphinx-en-us.
        public static let modelMissing = WordsUnavailable(rawValue: "modelMissing")
        /// No word of the text has a pronunciation.
        public static let textUnknown = WordsUnavailable(rawValue: "textUnknown")
    }
}

extension ReadingEvaluation {
    /// True if a voice was heard at all.
    public var heardSpeech: Bool { voicedDuration > 0 }

    /// How many words have a verdict.
    public func count(_ verdict: JudgedWord.Verdict) -> Int { words?.count { $0.verdict == verdict } ?? 0 }

    /// The word error rate: missed and inserted words, substitutions counted once, over the judged words of the text. It can
    /// exceed 1; nil when no word was judged.
    public var wordErrorRate: Double? {
        let expected = count(.right) + count(.missed)
        return expected > 0
            ? Double(count(.missed) + count(.inserted) - substitutions) / Double(expected) : nil
    }

    /// Words that were said, right or not, in a minute from the first voice to the last; nil when there were none.
    public var wordsPerMinute: Double? { perMinute(count(.right) + count(.inserted)) }

    /// Right words in a minute from the first voice to the last, a measure of reading fluency; nil when nothing was said.
    public var rightWordsPerMinute: Double? { wordsPerMinute == nil ? nil : perMinute(count(.right), least: 0) }

    private func perMinute(_ count: Int, least: Int = 1) -> Double? {
        words != nil && speechDuration > 0 && count >= least ? Double(count) * 60 / speechDuration : nil
    }
}

/// A word of a text, or one that was said besides.
public struct JudgedWord: Codable, Hashable, Sendable {
    /// What became of it.
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// Said as it stands there.
        case right
        /// In the text, and not said; another word may have been said in its place, which follows as `inserted`.
        case missed
        /// Said, and not in the text.
        case inserted
        /// In the text, and without a pronunciation, so that nobody can tell.
        case unjudged
    }

    /// What became of it.
    public let verdict: Verdict
    /// The word in lower case as it is spoken ("twenty" for the 20 of the text), for an inserted one as it was heard; nil for
    /// an inserted one that is no word that the recogniser knows.
    public let text: String?
    /// Where the text has what the word is made from: UTF-8 offsets. Several words may share a place ("21"); nil for an
    /// inserted word.
    public let source: Range<Int>?
    /// When it begins, in seconds from the start of the recording; nil when it was not heard.
    public let start: Double?
    /// When it ends, in seconds from the start of the recording; nil when it was not heard.
    public let end: Double?
}
