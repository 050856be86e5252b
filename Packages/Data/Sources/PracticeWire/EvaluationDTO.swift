// SPDX-License-Identifier: MIT

public import Domain

/// An evaluation on the wire. Times are seconds.
public struct EvaluationDTO: Codable, Hashable, Sendable {
    /// A word with its verdict.
    public struct Word: Codable, Hashable, Sendable {
        /// The word.
        public var text: String
        /// `right`, `missed`, `inserted` or `unjudged`; a verdict that this program does not know counts as `unjudged`.
        public var verdict: String
    }

    /// A time without speech.
    public struct Pause: Codable, Hashable, Sendable {
        /// The start of the pause.
        public var start: Double
        /// The length of the pause.
        public var duration: Double
    }

    /// `device` or `server`.
    public var source: String
    /// The words; null without a recogniser.
    public var words: [Word]?
    /// The total length of speech.
    public var speechDuration: Double
    /// The pace in words a minute.
    public var wordsPerMinute: Double?
    /// The pauses.
    public var pauses: [Pause]
    /// The loudness in LUFS.
    public var loudness: Double?
    /// The true peak in decibels of full scale.
    public var truePeak: Double?
    /// The share of clipped samples, from 0 to 1.
    public var clippedShare: Double
    /// The noise level in decibels of full scale.
    public var noiseLevel: Double?
    /// The signal-to-noise ratio in decibels.
    public var signalToNoise: Double?

    enum CodingKeys: String, CodingKey {
        case source, words, pauses, loudness
        case speechDuration = "speech_duration"
        case wordsPerMinute = "words_per_minute"
        case truePeak = "true_peak"
        case clippedShare = "clipped_share"
        case noiseLevel = "noise_level"
        case signalToNoise = "signal_to_noise"
    }

    /// Makes the wire form of an evaluation; a measure that is not finite is left out.
    public init(_ evaluation: Evaluation) {
        source = evaluation.source.rawValue
        words = evaluation.words?.map { Word(text: $0.text, verdict: $0.verdict.rawValue) }
        speechDuration = evaluation.speechDuration.ifFinite ?? 0
        wordsPerMinute = evaluation.wordsPerMinute?.ifFinite
        pauses = evaluation.pauses.filter { $0.start.isFinite && $0.duration.isFinite }
            .map { Pause(start: $0.start, duration: $0.duration) }
        loudness = evaluation.loudness?.ifFinite
        truePeak = evaluation.truePeak?.ifFinite
        clippedShare = evaluation.clippedShare.ifFinite ?? 0
        noiseLevel = evaluation.noiseLevel?.ifFinite
        signalToNoise = evaluation.signalToNoise?.ifFinite
    }

    /// The evaluation.
    ///
    /// - Throws: ``MappingFailure`` for an unknown source, more than 5,000 words or pauses, and impossible times, shares
    ///   and measures.
    public func evaluation() throws(MappingFailure) -> Evaluation {
        guard let source = Evaluation.Source(rawValue: source) else {
            throw MappingFailure("source", "is neither device nor server")
        }
        guard words?.count ?? 0 <= 5_000, pauses.count <= 5_000 else {
            throw MappingFailure("words", "or the pauses are more than 5000")
        }
        var judged: [JudgedWord]?
        if let words {
            judged = []
            for word in words {
                let text = try WireValue.text(word.text, "words", limit: 200)
                judged?.append(JudgedWord(text: text, verdict: JudgedWord.Verdict(rawValue: word.verdict) ?? .unjudged))
            }
        }
        var moments: [Evaluation.Pause] = []
        for pause in pauses {
            moments.append(
                .init(
                    start: try WireValue.number(pause.start, "pauses.start", in: 0...86_400),
                    duration: try WireValue.number(pause.duration, "pauses.duration", in: 0...86_400)))
        }
        return Evaluation(
            source: source, words: judged,
            speechDuration: try WireValue.number(speechDuration, "speech_duration", in: 0...86_400),
            wordsPerMinute: try Self.measure(wordsPerMinute, "words_per_minute", in: 0...1_000_000), pauses: moments,
            loudness: try Self.measure(loudness, "loudness"), truePeak: try Self.measure(truePeak, "true_peak"),
            clippedShare: try WireValue.number(clippedShare, "clipped_share", in: 0...1),
            noiseLevel: try Self.measure(noiseLevel, "noise_level"),
            signalToNoise: try Self.measure(signalToNoise, "signal_to_noise"))
    }

    /// A measure, in decibels unless it has another range.
    private static func measure(
        _ number: Double?, _ field: String, in range: ClosedRange<Double> = -1_000...1_000
    ) throws(MappingFailure) -> Double? {
        guard let number else { return nil }
        return try WireValue.number(number, field, in: range)
    }
}
