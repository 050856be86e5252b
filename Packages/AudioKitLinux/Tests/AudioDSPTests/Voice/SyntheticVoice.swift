// SPDX-License-Identifier: MIT

import Glibc
import TestKit

/// A voice from glottal pulses (A. E. Rosenberg's shape) through the formants of a vowel, with a fundamental that is
/// known at each moment.
enum SyntheticVoice {
    /// A glide from one fundamental to another by equal factors, or a steady tone.
    static func vowel(
        from low: Double, to high: Double? = nil, seconds: Double, sampleRate: Double,
        formants: [(frequency: Double, width: Double)] = [(700, 90), (1_220, 110), (2_600, 160)]
    ) -> [Float] {
        let count = Int(seconds * sampleRate)
        var phase = 0.0
        var flow = 0.0
        var sound = (0..<count).map { index -> Double in
            let part = Double(index) / Double(max(1, count))
            phase += low * pow((high ?? low) / low, part) / sampleRate
            phase -= phase.rounded(.down)
            let next =
                phase < 0.4
                ? 0.5 - 0.5 * cos(.pi * phase / 0.4) : phase < 0.56 ? cos(.pi / 2 * (phase - 0.4) / 0.16) : 0
            defer { flow = next }
            return next - flow
        }
        for formant in formants {
            let radius = exp(-.pi * formant.width / sampleRate)
            let (a1, a2) = (-2 * radius * cos(2 * .pi * formant.frequency / sampleRate), radius * radius)
            var (last, first) = (0.0, 0.0)
            for index in sound.indices {
                let value = sound[index] * (1 + a1 + a2) - a1 * last - a2 * first
                (first, last) = (last, value)
                sound[index] = value
            }
        }
        let peak = sound.map { abs($0) }.max() ?? 1
        return sound.map { Float(0.5 * $0 / max(peak, 1e-9)) }
    }

    /// Vowels with pauses and noise between them, as in speech.
    static func phrase(sampleRate: Double, seed: UInt64 = 4) -> [Float] {
        var random = SeededGenerator(seed: seed)
        var sound: [Float] = []
        for (low, high) in [(110.0, 140.0), (180, 120), (220, 260), (95, 85)] {
            sound += random.samples(Int(sampleRate * 0.06)).map { $0 * 0.1 }
            sound += vowel(from: low, to: high, seconds: 0.25, sampleRate: sampleRate)
            sound += [Float](repeating: 0, count: Int(sampleRate * 0.05))
        }
        return sound
    }
}
