// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import Glibc

extension VoiceLoop.Earcon {
    /// The tone: one or two notes, a tenth of a second each, faded in and out so that nothing clicks; −18 dBFS.
    ///
    /// Rising says "go on", falling "it is over", a low note twice "I did not understand".
    func sound(_ format: AudioFormat) -> AudioBuffer {
        let notes: [Double] =
            switch self {
            case .listening: [659.26, 880]
            case .asleep: [659.26, 493.88]
            case .notUnderstood: [311.13, 311.13]
            }
        let samples = notes.flatMap { EarconNote.samples($0, level: 0.125, format) }
        return AudioBuffer(samples: samples, format: format)
    }
}

/// A note of a tenth of a second, faded in and out so that nothing clicks.
enum EarconNote {
    /// The samples, interleaved.
    ///
    /// - Parameter level: The amplitude; 1 is full scale.
    static func samples(_ frequency: Double, level: Double, _ format: AudioFormat) -> [Float] {
        let frames = format.sampleRate / 10
        let fade = Double(format.sampleRate) * 0.015
        return (0..<frames).flatMap { frame in
            let edge = min(1, Double(min(frame, frames - 1 - frame)) / fade)
            let phase = 2 * Double.pi * frequency * Double(frame) / Double(format.sampleRate)
            let sample = Float(sin(phase) * edge * edge * (3 - 2 * edge) * level)
            return [Float](repeating: sample, count: format.channels)
        }
    }
}
