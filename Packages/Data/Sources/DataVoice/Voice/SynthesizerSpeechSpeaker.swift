// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
public import Speech

/// Speaks an answer on a device: synthesis and playback at once, sentence by sentence.
public struct SynthesizerSpeechSpeaker: SpeechSpeaker {
    private let synthesizer: any SpeechSynthesizer
    private let device: AudioDevice
    private let ownSound: OwnSound?
    private let logger: Logger

    /// Makes a speaker; the device is open only while ``speak(_:_:)`` runs.
    ///
    /// - Parameter ownSound: Tells a listener in the same room about the played sound.
    public init(
        synthesizer: any SpeechSynthesizer, device: AudioDevice, ownSound: OwnSound? = nil, logger: Logger = .disabled
    ) {
        self.synthesizer = synthesizer
        self.device = device
        self.ownSound = ownSound
        self.logger = logger
    }

    /// See `SpeechSpeaker`.
    public func speak(
        _ text: String, _ report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void
    ) async throws {
        try await domainErrors {
            let playback = try await AudioPlayback.start(device: device, logger: logger)
            ownSound?.began(playback)
            defer { ownSound?.ended(playback) }
            do {
                try await play(text, on: playback, report)
            } catch {
                await playback.flush()
                await playback.stop()
                throw error
            }
            await playback.stop()
        }
    }

    private func play(
        _ text: String, on playback: AudioPlayback,
        _ report: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void
    ) async throws {
        var converter = try FormatConverter(from: synthesizer.format, to: playback.format)
        var hasBegun = false
        for try await buffer in synthesizer.synthesize(text) {
            guard let sound = converter.convert(buffer) else { continue }
            if !hasBegun { await report(.firstAudioReady, .now) }
            try await playback.play(sound)
            if !hasBegun, let instant = await playback.firstFrameAudible() {
                await report(.firstSampleAudible, instant)
            }
            hasBegun = true
        }
        try Task.checkCancellation()
        if let rest = converter.finish() { try await playback.play(rest) }
        try await playback.drain()
        await report(.answerSpoken, .now)
    }
}
