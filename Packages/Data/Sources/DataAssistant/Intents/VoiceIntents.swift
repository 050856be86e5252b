// SPDX-License-Identifier: MIT

import Domain
import LocalIntents

/// Carries out the intents about how answers sound: their loudness and their speed.
struct VoiceIntents: Sendable {
    /// The percent by which "louder" and "quieter" turn.
    private static let volumeStep = 10
    /// The percent by which "slower" and "faster" change the speed.
    private static let rateStep = 15

    let volume: (any VolumeControl)?
    let rate: (any SpeakingRate)?

    /// The answer's words; nil for an intent of another part.
    ///
    /// - Throws: ``DomainError/invalidQuery`` without the device, and its own errors.
    func answer(to intent: LocalIntent) async throws -> String? {
        switch intent {
        case .raiseVolume(let percent): return try await turn(by: percent ?? Self.volumeStep)
        case .lowerVolume(let percent): return try await turn(by: -(percent ?? Self.volumeStep))
        case .setVolume(let percent): return try await turn { _ in (percent, false) }
        case .mute: return try await turn { ($0.percent, true) }
        case .unmute: return try await turn { ($0.percent, false) }
        case .tellVolume: return IntentWords.volume(try await needed(volume).volume())
        case .speakSlower: return try await speak(fasterBy: -Self.rateStep)
        case .speakFaster: return try await speak(fasterBy: Self.rateStep)
        default: return nil
        }
    }

    private func needed<Device>(_ device: Device?) throws -> Device {
        guard let device else { throw DomainError.invalidQuery }
        return device
    }

    /// Louder or quieter, which ends muting, too.
    private func turn(by step: Int) async throws -> String {
        try await turn { ($0.percent + step, false) }
    }

    private func turn(_ change: (LoudspeakerVolume) -> (percent: Int, isMuted: Bool)) async throws -> String {
        let control = try needed(volume)
        let wanted = change(try await control.volume())
        let set = try await control.set(LoudspeakerVolume(percent: wanted.percent, isMuted: wanted.isMuted))
        return IntentWords.volume(set)
    }

    private func speak(fasterBy step: Int) async throws -> String {
        let rate = try needed(rate)
        let before = try await rate.percent()
        return IntentWords.rate(try await rate.set(percent: before + step), before: before)
    }
}
