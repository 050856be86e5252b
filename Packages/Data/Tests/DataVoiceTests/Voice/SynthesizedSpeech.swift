// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Speech
import TestKit

/// A synthetic voice that the tests have questions read by.
enum TestVoice: String, CaseIterable {
    case fliteSLT, fliteRMS, fliteAWB, festivalSLT, festivalKAL, festivalKED

    var flite: FliteSynthesizer.Voice? {
        switch self {
        case .fliteSLT: .slt
        case .fliteRMS: .rms
        case .fliteAWB: .awb
        default: nil
        }
    }

    /// Festival's name of the voice.
    var festival: String? {
        switch self {
        case .festivalSLT: "voice_cmu_us_slt_arctic_hts"
        case .festivalKAL: "voice_kal_diphone"
        case .festivalKED: "voice_ked_diphone"
        default: nil
        }
    }
}

/// A program that the tests need is missing or fails.
struct TestToolError: Error, CustomStringConvertible {
    let description: String
}

/// Reads sentences aloud into sound files, many at a time.
struct SynthesizedSpeech {
    let folder: URL
    var festival = "festival"

    /// Synthesises each sentence once for each voice that reads it and returns the sound, 16 kHz mono, by sentence.
    func read(_ sentences: [String], by voice: TestVoice) async throws -> [String: AudioBuffer] {
        if let flite = voice.flite { return try await read(sentences, flite: flite) }
        return try read(sentences, festivalVoice: voice.festival ?? "")
    }

    private func read(_ sentences: [String], flite: FliteSynthesizer.Voice) async throws -> [String: AudioBuffer] {
        let synthesizer = try FliteSynthesizer(voice: flite)
        var sounds: [String: AudioBuffer] = [:]
        for sentence in sentences {
            var sound = AudioBuffer(samples: [], format: .speech)
            for try await buffer in synthesizer.synthesize(sentence) { sound.samples += buffer.samples }
            sounds[sentence] = sound
        }
        return sounds
    }

    /// One process for all sentences: Festival takes longer to start than to speak.
    private func read(_ sentences: [String], festivalVoice voice: String) throws -> [String: AudioBuffer] {
        let folder = folder.appending(path: voice)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var script = "(\(voice))\n"
        for (index, sentence) in sentences.enumerated() {
            let path = folder.appending(path: "\(index).wav").path()
            script += "(utt.save.wave (utt.synth (Utterance Text \"\(sentence)\")) \"\(path)\")\n"
        }
        let scriptFile = folder.appending(path: "script.scm")
        try script.write(to: scriptFile, atomically: true, encoding: .utf8)
        let end = try? ChildProcess(
            festival, ["-b", scriptFile.path()], output: .inherited, errors: .discarded
        ).wait()
        guard end == .exited(0) else {
            throw TestToolError(
                description: """
                    \(festival) with \(voice) failed (\(end.map { "\($0)" } ?? "it cannot be started")). Install the packages festival, \
                    festvox-us-slt-hts, festvox-kallpc16k and festvox-kdlpc16k; Scripts/bootstrap does.
                    """)
        }
        var sounds: [String: AudioBuffer] = [:]
        for (index, sentence) in sentences.enumerated() {
            let reader = try SoundFileReader(path: folder.appending(path: "\(index).wav").path())
            var sound = AudioBuffer(samples: [], format: .speech)
            while let buffer = try reader.readConverted(to: .speech, frames: 16_000) { sound.samples += buffer.samples }
            sounds[sentence] = sound
        }
        return sounds
    }
}

/// White and pink noise in equal parts, the same for the same seed.
struct TestNoise {
    private var state: UInt64
    private var pink: [Float] = [0, 0, 0]

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// The sound between `lead` and `tail` samples of background; the background is `decibels` below the speech, or
    /// nearly silent (3 steps of 16 bits) without a number.
    mutating func surround(
        _ speech: AudioBuffer, decibels: Float?, lead: Int = 4800, tail: Int = 8000
    ) -> AudioBuffer {
        let power = speech.samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, speech.samples.count))
        let gain = 0.08 / max(power.squareRoot(), 1e-6)
        let noise = decibels.map { 0.08 * pow(10, -$0 / 20) } ?? 3 / 32768
        let zeros = [Float](repeating: 0, count: lead)
        let all = zeros + speech.samples.map { $0 * gain } + [Float](repeating: 0, count: tail)
        return AudioBuffer(samples: all.map { $0 + noise * next() }, format: .speech)
    }

    /// A sample of unit power.
    private mutating func next() -> Float {
        let white = uniform()
        // Kellet's economical filter, about −3 dB an octave.
        pink[0] = 0.99765 * pink[0] + white * 0.0990460
        pink[1] = 0.96300 * pink[1] + white * 0.2965164
        pink[2] = 0.57000 * pink[2] + white * 1.0526913
        let coloured = (pink[0] + pink[1] + pink[2] + white * 0.1848) * 0.587
        return (uniform() * 1.732 + coloured) * 0.7071
    }

    private mutating func uniform() -> Float {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Float(state >> 40) / Float(1 << 23) - 1
    }
}
