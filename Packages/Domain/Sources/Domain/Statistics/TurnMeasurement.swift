// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The outcome and the latencies of one turn. It has no word of the person and of the answer.
public struct TurnMeasurement: Sendable, Hashable {
    /// The turn.
    public let turn: TurnID
    /// The start of the turn (wall clock, millisecond resolution once stored).
    public let startedAt: Date
    /// The form of the question.
    public let modality: Message.Modality
    /// The end of the turn.
    public var outcome: TurnOutcome
    /// The times that were measured; microsecond resolution once stored.
    public var latencies: [TurnLatency: Duration]
    /// The stages that were reached, by the time since the start; empty for a typed question. ``TurnStatistics`` does not store them.
    public var stages: [TurnStage: Duration] = [:]
    /// The sentences of the answer that the sentence cache of speech was asked for.
    public var sentences: Int
    /// The sentences of these that it had.
    public var cachedSentences: Int

    /// A measurement.
    public init(
        turn: TurnID, startedAt: Date, modality: Message.Modality, outcome: TurnOutcome,
        latencies: [TurnLatency: Duration] = [:], sentences: Int = 0, cachedSentences: Int = 0
    ) {
        (self.turn, self.startedAt, self.modality, self.outcome) = (turn, startedAt, modality, outcome)
        (self.latencies, self.sentences, self.cachedSentences) = (latencies, sentences, cachedSentences)
    }

    /// The starts of the turns whose measurements are kept: those of the last 90 days, and of one more day, so that a
    /// clock that is set back a little loses nothing. What a wrong clock has dated further ahead is not kept.
    public static func window(at now: Date) -> Range<Date> {
        now.addingTimeInterval(-90 * 86_400)..<now.addingTimeInterval(86_400)
    }
}

/// A stretch of time within a turn.
public enum TurnLatency: String, Sendable, Hashable, CaseIterable {
    /// From the end of speech until the endpointer was sure of it.
    case endpoint
    /// From there to the recogniser's final words.
    case recognition
    /// From the question's words to the first words of the answer.
    case answer
    /// From the question's words to the last words of the answer.
    case wholeAnswer
    /// From the first words of the answer to its first samples.
    case synthesis
    /// From there to the first sample that leaves the playback device.
    case playback
    /// From the end of speech to the first sample that leaves the playback device.
    case reply

    /// The stages that it lies between; nil where there is a typed question, too.
    var stages: (from: TurnStage, to: TurnStage)? {
        switch self {
        case .endpoint: (.speechEnded, .endpointDetected)
        case .recognition: (.endpointDetected, .transcriptReady)
        case .answer, .wholeAnswer: nil
        case .synthesis: (.answerReady, .firstAudioReady)
        case .playback: (.firstAudioReady, .firstSampleAudible)
        case .reply: (.speechEnded, .firstSampleAudible)
        }
    }
}

/// The end of a turn.
public enum TurnOutcome: Sendable, Hashable {
    /// It was answered.
    case answered
    /// The question was turned down, with the code of the error.
    case refused(String)
    /// There is no answer, with the code of the error.
    case failed(String)
    /// The question waits for the model.
    case kept
    /// The person stopped it before there was an answer.
    case stopped

    /// The outcome of a turn that ended with an error; nil if there was no question.
    init?(_ error: any Error) {
        switch error {
        case is CancellationError: self = .stopped
        case DomainError.emptyQuery, DomainError.noSpeech: return nil
        case DomainError.keptForLater: self = .kept
        case let error as DomainError: self = error.isRefusal ? .refused(error.code) : .failed(error.code)
        default: self = .failed("other")
        }
    }

    /// The outcome by ``name`` and ``code``; nil for anything else.
    public init?(name: String, code: String?) {
        switch (name, code) {
        case ("answered", nil): self = .answered
        case ("refused", let code?): self = .refused(code)
        case ("failed", let code?): self = .failed(code)
        case ("kept", nil): self = .kept
        case ("stopped", nil): self = .stopped
        default: return nil
        }
    }

    /// The form for stores and programs.
    public var name: String {
        switch self {
        case .answered: "answered"
        case .refused: "refused"
        case .failed: "failed"
        case .kept: "kept"
        case .stopped: "stopped"
        }
    }

    /// The code of the error; nil without one.
    public var code: String? {
        switch self {
        case .refused(let code), .failed(let code): code
        case .answered, .kept, .stopped: nil
        }
    }
}
