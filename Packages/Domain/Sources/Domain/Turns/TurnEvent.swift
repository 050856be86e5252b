// SPDX-License-Identifier: MIT

/// A point on the way through a spoken turn that the latency ledger records.
public enum TurnStage: String, Sendable, CaseIterable {
    /// The microphone or the sound file is open.
    case listening
    /// The first sound of the question.
    case speechStarted
    /// The last sound of the question (not the moment at which the endpointer was sure of it).
    case speechEnded
    /// The endpointer was sure that the question was over.
    case endpointDetected
    /// The recogniser has its final words.
    case transcriptReady
    /// The answer's first words are there; one that comes as a whole is stored, too.
    case answerReady
    /// The synthesiser has made its first samples.
    case firstAudioReady
    /// The first sample of the answer left the playback device.
    case firstSampleAudible
    /// The last sample of the answer left the playback device.
    case answerSpoken
}

/// An event of a spoken turn, in order.
public enum TurnEvent: Sendable {
    /// A stage was reached at that monotonic time, which may lie in the past (the end of speech is known later).
    case reached(TurnStage, at: ContinuousClock.Instant)
    /// The loudness of the input, in dBFS (RMS), about ten times a second.
    case level(Double)
    /// The words of the question so far; the next ones may be others.
    case draft(String)
    /// The recognised words; already stored.
    case transcript(Transcript)
    /// The answer is under way.
    case answering(AnswerEvent)
    /// The answer; already stored. It is spoken next, unless that has begun.
    case answer(AssistantAnswer)
    /// The question was turned down; the error's message is spoken next.
    case refused(DomainError)
}

/// The words that a recogniser found in speech.
public struct Transcript: Sendable, Equatable {
    /// The words.
    public let text: String
    /// The recogniser's confidence, from 0 to 1.
    public let confidence: Double

    /// Makes a transcript.
    public init(text: String, confidence: Double) {
        self.text = text
        self.confidence = confidence
    }
}

/// The phantom entity of a turn: one question and its answer.
public enum Turn {}

/// The id of a turn in messages, log lines and the latency ledger.
public typealias TurnID = Identifier<Turn>
