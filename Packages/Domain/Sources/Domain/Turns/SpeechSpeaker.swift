// SPDX-License-Identifier: MIT

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
