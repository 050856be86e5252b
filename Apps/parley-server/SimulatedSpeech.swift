// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import EchoSimulator
import Speech
import StateKnowledge

/// The recogniser of `simulate-openai --listen`: spoken questions about US states, on this machine.
enum SimulatedRecognition {
    /// The reason why a turn has no words.
    struct NotUnderstood: Error, CustomStringConvertible {
        let description: String
    }

    /// Lets a simulator hear.
    ///
    /// - Throws: `SpeechError`, when PocketSphinx or its model is missing.
    static func install(in configuration: inout SimulatorConfiguration) async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let knowledge = StateKnowledgeBase()
        configuration.transcribe = { samples in try await recognizer.words(in: samples) }
        configuration.answer = { question in try? knowledge.answer(question).text }
    }
}

extension GrammarRecognizer {
    /// Returns the words of a whole utterance at 24 kHz. Utterances are recognised one after another, also for several
    /// sessions.
    fileprivate func words(in samples: [Int16]) throws -> String {
        let resampler = try Resampler(from: 24_000, to: AudioFormat.speech.sampleRate)
        let sound = resampler.process(samples.map { Float($0) / 32_768 }) + resampler.finish()
        begin()
        try process(AudioBuffer(samples: sound, format: .speech))
        let recognition = try finish()
        switch recognition.outcome {
        case .accepted: return recognition.text
        case .rejected(let reason):
            throw SimulatedRecognition.NotUnderstood(
                description: "That was no question about a state (\(reason.rawValue)).")
        case .silence: throw SimulatedRecognition.NotUnderstood(description: "Nothing was said.")
        }
    }
}

/// The voice of `simulate-openai --speak`: eSpeak NG, as a child process for each answer.
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
