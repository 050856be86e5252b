// SPDX-License-Identifier: MIT

/// The measurements of one recording of a cue.
public struct Evaluation: Hashable, Sendable {
    /// The evaluator.
    public enum Source: String, Sendable, CaseIterable {
        /// This device, at once and without a network.
        case device
        /// The server.
        case server
    }

    /// The evaluator.
    public var source: Source
    /// The words, in the order of the text or of speaking; `nil` if there is no recogniser for the language.
    public var words: [JudgedWord]?
    /// The duration of speech, from the first sound to the last, in seconds.
    public var speechDuration: Double
    /// The spoken words in a minute of that time; `nil` if no word was counted.
    public var wordsPerMinute: Double?
    /// The pauses in speech, in seconds, in their order.
    public var pauses: [Pause]
    /// The integrated loudness in LUFS (ITU-R BS.1770-4); `nil` when everything was below its gate.
    public var loudness: Double?
    /// The highest level between samples, in dB of full scale; `nil` for digital silence.
    public var truePeak: Double?
    /// The share of samples in runs at full scale, from 0 to 1: clipping.
    public var clippedShare: Double
    /// The level of the background in dB of full scale; `nil` when there was no moment without speech.
    public var noiseLevel: Double?
    /// The level of speech above the background, in dB; `nil` when there was no moment without speech, or no speech.
    public var signalToNoise: Double?

    /// An interval without speech.
    public struct Pause: Hashable, Sendable {
        /// The start, in seconds from the start of the recording.
        public var start: Double
        /// The length, in seconds.
        public var duration: Double

        /// A pause.
        public init(start: Double, duration: Double) {
            self.start = start
            self.duration = duration
        }
    }

    /// An evaluation.
    public init(
        source: Source, words: [JudgedWord]?, speechDuration: Double, wordsPerMinute: Double?, pauses: [Pause],
        loudness: Double?, truePeak: Double?, clippedShare: Double, noiseLevel: Double?, signalToNoise: Double?
    ) {
        self.source = source
        self.words = words
        self.speechDuration = speechDuration
        self.wordsPerMinute = wordsPerMinute
        self.pauses = pauses
        self.loudness = loudness
        self.truePeak = truePeak
        self.clippedShare = clippedShare
        self.noiseLevel = noiseLevel
        self.signalToNoise = signalToNoise
    }
}

/// A word of a cue, or a word that was said in addition.
public struct JudgedWord: Hashable, Sendable {
    /// The judgement of a word.
    public enum Verdict: String, Sendable, CaseIterable {
        /// Said as written.
        case right
        /// In the cue, and not said.
        case missed
        /// Said, and not in the cue.
        case inserted
        /// In the cue, and unknown to the recogniser, so that it cannot be judged.
        case unjudged
    }

    /// The word as it is written.
    public var text: String
    /// The judgement of the word.
    public var verdict: Verdict

    /// A word.
    public init(text: String, verdict: Verdict) {
        self.text = text
        self.verdict = verdict
    }
}

extension Evaluation {
    /// The number of words with a verdict.
    public func count(_ verdict: JudgedWord.Verdict) -> Int { words?.count { $0.verdict == verdict } ?? 0 }

    /// The share of the cue's words that were right, less the inserted words, from 0 to 1; `nil` if no word was judged.
    public var accuracy: Double? {
        let (right, missed) = (count(.right), count(.missed))
        guard right + missed > 0 else { return nil }
        return max(0, Double(right - count(.inserted)) / Double(right + missed))
    }
}
