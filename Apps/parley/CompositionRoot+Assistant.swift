// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataVoice
import Diagnostics
import Domain
import Speech

extension CompositionRoot {
    /// The assistant that listens all day, with its engines loaded; devices are opened when it runs.
    func assistant(
        _ options: ListenOptions, storingIn conversations: any ConversationRepository
    ) async throws -> ListenAllDay {
        let devices = try devices(for: options.route)
        let ownSound = OwnSound()
        async let engines = engines(options)
        let speaker = SynthesizerSpeechSpeaker(
            synthesizer: try await synthesizer(.flite(options.voice)), device: devices.playback, ownSound: ownSound,
            logger: logger.with(category: "speaking"))
        let earcons: any EarconPlayer =
            options.hasTones
            ? DeviceEarconPlayer(device: devices.playback, ownSound: ownSound, logger: logger) : SilentEarcons()
        return ListenAllDay(
            ear: MicrophoneEar(
                device: devices.capture, engines: try await engines, ownSound: ownSound,
                logger: logger.with(category: "listening")),
            speaker: speaker, earcons: earcons, answerQuestion: answerQuestion(storingIn: conversations),
            configuration: options.loop)
    }

    private func engines(_ options: ListenOptions) async throws -> MicrophoneEar.Engines {
        do {
            async let recognizer = recognizer()
            let wakeWord = try await WakeWordDetector(
                phrase: options.phrase, configuration: options.wakeWord, logger: logger)
            let (detector, _, endpointing) = try options.detector.make()
            return MicrophoneEar.Engines(
                wakeWord: wakeWord, recognizer: try await recognizer, detector: detector, endpointing: endpointing)
        } catch { throw DomainError(translating: error) }
    }
}

/// Plays no tones.
private struct SilentEarcons: EarconPlayer {
    func play(_ earcon: VoiceLoop.Earcon) async throws {}
}
