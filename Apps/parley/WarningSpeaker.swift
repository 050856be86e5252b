// SPDX-License-Identifier: MIT

import Domain

/// A voice whose device may be broken: what it was to say is on the screen, so that costs a warning.
struct WarningSpeaker: SpeechSpeaker {
    let speaker: any SpeechSpeaker
    /// Called with what is wrong and what to do.
    let warn: @Sendable (String) -> Void

    /// See `SpeechSpeaker`; throws no ``DomainError/device(_:)``.
    func speak(
        _ text: String, _ report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void
    ) async throws {
        do {
            try await speaker.speak(text, report)
        } catch DomainError.device(let reason) {
            warn("This is not spoken. \(reason) Run: parley audio doctor (it says what to do).")
        }
    }
}
