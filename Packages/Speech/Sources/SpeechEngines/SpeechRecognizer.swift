// SPDX-License-Identifier: MIT

public import AudioBuffers

/// Turns the sound of one utterance into words: an engine on this machine, or a service.
public protocol SpeechRecognizer: Sendable {
    /// The format of every buffer that ``recognize(_:)`` takes.
    var format: AudioFormat { get }

    /// Recognises one utterance, which ends with the stream of its sound.
    ///
    /// Zero or more ``RecognitionEvent/partial(_:)`` and then one ``RecognitionEvent/final(_:)``. An engine that sends
    /// sound on while somebody speaks takes each buffer as it arrives; any other keeps the sound until its end. Several
    /// utterances may be recognised at once. The recognition stops when the consumer is cancelled or stops.
    ///
    /// - Parameter sound: The utterance in ``format``, already cut by voice activity: an engine may invent words for
    ///   silence.
    /// - Throws: The engine's error from the stream: `SpeechError` of the module Speech, `SpeechServiceError` of
    ///   SpeechServices.
    func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error>
}

/// One result of a recogniser.
public enum RecognitionEvent: Sendable, Hashable {
    /// The words so far, in place of those of the event before. They may change.
    case partial(String)
    /// The words of the whole utterance, once, as the last event.
    case final(Transcription)
}

/// The words of one utterance.
public struct Transcription: Sendable, Hashable {
    /// A part of an utterance that an engine judged on its own.
    public struct Segment: Sendable, Hashable {
        /// The words, without white space around them.
        public var text: String
        /// The beginning, from the utterance's first sample; nil if the engine does not tell.
        public var start: Duration?
        /// The end, from the utterance's first sample; nil if the engine does not tell.
        public var end: Duration?
        /// The mean of the tokens' log-probabilities (natural logarithm; near 0 is sure); nil if the engine does not tell.
        public var averageLogProbability: Double?
        /// The probability that nobody spoke, from 0 to 1; nil if the engine does not tell.
        public var noSpeechProbability: Double?

        /// Makes a segment.
        public init(
            text: String, start: Duration? = nil, end: Duration? = nil, averageLogProbability: Double? = nil,
            noSpeechProbability: Double? = nil
        ) {
            self.text = text
            self.start = start
            self.end = end
            self.averageLogProbability = averageLogProbability
            self.noSpeechProbability = noSpeechProbability
        }
    }

    /// The words in one line; empty if nobody spoke.
    public var text: String
    /// The language of the words as the engine names it, such as "en" or "english"; nil if it does not tell.
    public var language: String?
    /// The probability that the words are right, from 0 to 1; nil if the engine does not tell. Without words 0 means that
    /// somebody spoke and was not understood, and nil that nobody spoke.
    public var confidence: Double?
    /// The parts that were judged on their own; empty if the engine does not tell.
    public var segments: [Segment]

    /// Makes a transcription.
    public init(_ text: String, language: String? = nil, confidence: Double? = nil, segments: [Segment] = []) {
        self.text = text
        self.language = language
        self.confidence = confidence
        self.segments = segments
    }
}
