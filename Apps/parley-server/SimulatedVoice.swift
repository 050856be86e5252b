// SPDX-License-Identifier: MIT

import AudioKitLinux
import EchoSimulator
import Speech

/// What `simulate-openai --speak` speaks with: eSpeak NG, as a child process for each answer.
enum SimulatedVoice {
    /// Lets a simulator speak.
    ///
    /// - Throws: `SpeechError`, when eSpeak NG is missing.
    static func install(in configuration: inout SimulatorConfiguration) async throws {
        let synthesizer = try await ESpeakSynthesizer(language: "en-us")
        configuration.speak = { text in
            let resampler = try Resampler(from: synthesizer.format.sampleRate, to: 24_000)
            var sound: [Float] = []
            for try await buffer in synthesizer.synthesize(text) { sound += resampler.process(buffer.samples) }
            sound += resampler.finish()
            return sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
        }
    }
}
