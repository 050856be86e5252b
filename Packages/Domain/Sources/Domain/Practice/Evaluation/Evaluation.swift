// SPDX-License-Identifier: MIT

/// What can be said of a recording of a cue.
public struct Evaluation: Hashable, Sendable {
    /// Who evaluated.
    public enum Source: String, Sendable, CaseIterable {
        /// This device, at once and without a network.
        case device
        /// The server.
        case server
    }

    /// Who evaluated.
    public var source: Source
    /// The words, in the order in which they were to be said or were said; `nil` where there is no recogniser for the language.
    public var words: [JudgedWord]?
    /// How long somebody spoke, from the first sound to the last, in seconds.
    public var speechDuration: Double
    /// Words said in a minute of that time; `nil` when no word was counted.
    public var wordsPerMinute: Double?
    /// The pauses in speech, in seconds, in their order.
    public var pauses: [Pause]
    /// The integrated loudness in LUFS (ITU-R BS.1770-4); `nil` when everything was below its gate.
    public var loudness: Double?
    /// The highest level between samples, in dB of full scale; `nil` for digital silence.
    public var truePeak: Double?
    /// The share of samples that stand at full scale in runs, from 0 to 1: clipping.
    public var clippedShare: Double
    /// The level of the background in dB of full scale; `nil` when there was no moment without speech.
    public var noiseLevel: Double?
    /// How far speech stands above the background, in dB; `nil` when there was no moment without speech, or no speech.
    public var signalToNoise: Double?

    /// A moment in which nobody spoke.
    public struct Pause: Hashable, Sendable {
        /// When it began, in seconds from the start of the recording.
        public var start: Double
        /// How long it was, in seconds.
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

/// A word of a cue, or one that was said besides.
public struct JudgedWord: Hashable, Sendable {
    /// What became of it.
    public enum Verdict: String, Sendable, CaseIterable {
        /// Said as it stands there.
        case right
        /// In the cue, and not said.
        case missed
        /// Said, and not in the cue.
        case inserted
        /// In the cue, and unknown to the recogniser, so that nobody can tell.
        case unjudged
    }

    /// The word as it is written.
    public var text: String
    /// What became of it.
    public var verdict: Verdict

    /// A word.
    public init(text: String, verdict: Verdict) {
        self.text = text
        self.verdict = verdict
    }
}

extension Evaluation {
    /// How many words have a verdict.
    public func count(_ verdict: JudgedWord.Verdict) -> Int { words?.count { $0.verdict == verdict } ?? 0 }

    /// The share of the cue's words that were right, less what was said besides, from 0 to 1; `nil` when none was judged.
    public var accuracy: Double? {
        let (right, missed) = (count(.right), count(.missed))
        guard right + missed > 0 else { return nil }
        return max(0, Double(right - count(.inserted)) / Double(right + missed))
    }
}
