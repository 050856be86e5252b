// SPDX-License-Identifier: MIT

/// A report of a ``SpeechListener``.
public enum ListeningEvent: Sendable {
    /// A stage from ``TurnStage/listening`` to ``TurnStage/transcriptReady`` was reached at that monotonic time.
    case reached(TurnStage, at: ContinuousClock.Instant)
    /// The loudness of the input, in dBFS (RMS).
    case level(Double)
}

/// Hears one spoken question. Every implementation passes `SpeechListenerContract` in `DomainTestSupport`.
public protocol SpeechListener: Sendable {
    /// Listens until a question is over and reports on the way; cancellation closes the device and throws
    /// `CancellationError`. One call at a time.
    ///
    /// - Returns: The question's words.
    /// - Throws: ``DomainError/noSpeech``, ``DomainError/notUnderstood``, ``DomainError/device(_:)``,
    ///   ``DomainError/file(_:)`` or ``DomainError/speechEngine(_:)``.
    func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript
}

/// Says an answer aloud. Every implementation passes `SpeechSpeakerContract` in `DomainTestSupport`.
public protocol SpeechSpeaker: Sendable {
    /// Speaks the text, sentence by sentence, and returns when its last sample has left the device. One call at a time.
    ///
    /// Cancellation silences the device within a period and throws `CancellationError`. `report` gets
    /// ``TurnStage/firstAudioReady``, ``TurnStage/firstSampleAudible`` and ``TurnStage/answerSpoken``.
    ///
    /// - Throws: ``DomainError/device(_:)``, ``DomainError/file(_:)`` or ``DomainError/speechEngine(_:)``.
    func speak(_ text: String, _ report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void) async throws
}
