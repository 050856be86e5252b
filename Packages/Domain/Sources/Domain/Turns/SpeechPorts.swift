// SPDX-License-Identifier: MIT

/// A report of a ``SpeechListener``.
public enum ListeningEvent: Sendable {
    /// A stage from ``TurnStage/listening`` to ``TurnStage/transcriptReady`` was reached at that monotonic time.
    case reached(TurnStage, at: ContinuousClock.Instant)
    /// The loudness of the input, in dBFS (RMS).
    case level(Double)
    /// The words so far, as far as they are understood; the next ones may be others.
    case draft(String)
    /// In a pause: the question, unless the person goes on. The next one, or the question itself, may be another.
    case foreseen(Transcript)
}

/// Hears one spoken question. Every implementation passes `SpeechListenerContract` in `DomainTestSupport`.
public protocol SpeechListener: Sendable {
    /// Listens until a question is over and reports on the way; cancellation closes the device and throws
    /// `CancellationError`. One call at a time.
    ///
    /// - Returns: The question's words.
    /// - Throws: ``DomainError/noSpeech``, ``DomainError/notUnderstood``, ``DomainError/speechTooLong(limit:)``,
    ///   ``DomainError/device(_:)``, ``DomainError/file(_:)`` or ``DomainError/speechEngine(_:)``.
    func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript
}

/// A report of a ``SpeechSpeaker``.
public enum SpeakingEvent: Sendable {
    /// ``TurnStage/firstAudioReady``, ``TurnStage/firstSampleAudible`` or ``TurnStage/answerSpoken`` was reached at that
    /// monotonic time.
    case reached(TurnStage, at: ContinuousClock.Instant)
    /// The speech has ended or was cut off: the number of characters of the text whose sound has left the device, to
    /// about a word.
    case heard(Int)
}

/// Says an answer aloud. Every implementation passes `SpeechSpeakerContract` in `DomainTestSupport`.
public protocol SpeechSpeaker: Sendable {
    /// Speaks a text that comes in pieces, each sentence as soon as it is there, and returns when the last sample has
    /// left the device. One call at a time. A text without a piece is not spoken, and opens no device.
    ///
    /// Cancellation silences the device within a period and throws `CancellationError`. Unless another error is thrown,
    /// the last report is ``SpeakingEvent/heard(_:)``.
    ///
    /// - Throws: ``DomainError/device(_:)``, ``DomainError/file(_:)`` or ``DomainError/speechEngine(_:)``.
    func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws

    /// Makes ready for a text that will perhaps be spoken next, and returns at once; another text, prepared or spoken,
    /// throws that work away. Nothing is heard and no device is opened, and a speaker whose voice costs money does
    /// nothing.
    func prepare(_ text: String)

    /// Makes ready for several texts of which perhaps one is spoken within the next minutes, and returns when they are
    /// ready or the task is cancelled. They stay until something is spoken or this is called again; the rest is as for
    /// ``prepare(_:)``.
    func preload(_ texts: [String]) async
}

extension SpeechSpeaker {
    /// Does nothing.
    public func prepare(_ text: String) {}

    /// Does nothing.
    public func preload(_ texts: [String]) async {}

    /// Speaks a text that is there as a whole.
    public func speak(_ text: String, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {
        let (pieces, input) = AsyncStream.makeStream(of: String.self)
        input.yield(text)
        input.finish()
        try await speak(pieces, report)
    }
}
