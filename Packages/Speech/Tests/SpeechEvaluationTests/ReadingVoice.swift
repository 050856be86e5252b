// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Speech
import TestKit

/// Readings by synthetic voices, with a background that a seed makes.
struct ReadingVoice {
    let voice: FliteSynthesizer.Voice

    /// The text read aloud, 16 kHz mono, at about −22 dBFS.
    func read(_ text: String) async throws -> [Float] {
        var samples: [Float] = []
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { samples += buffer.samples }
        let power = samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, samples.count))
        return samples.map { $0 * 0.08 / max(power.squareRoot(), 1e-6) }
    }
}

/// White and pink noise in equal parts.
struct Background {
    private var generator: SeededGenerator
    private var pink: (Float, Float, Float) = (0, 0, 0)

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// `samples` (at 0.08) between `lead` and `tail` of background, which lies `decibels` below them.
    mutating func surround(
        _ samples: [Float], decibels: Float = 70, lead: Int = 6_400, tail: Int = 9_600
    ) -> [Float] {
        let level = 0.08 * powf(10, -decibels / 20)
        let all = [Float](repeating: 0, count: lead) + samples + [Float](repeating: 0, count: tail)
        return all.map { $0 + level * next() }
    }

    /// A sample of about unit power.
    private mutating func next() -> Float {
        let white = Float.random(in: -1...1, using: &generator)
        pink.0 = 0.99765 * pink.0 + white * 0.0990460
        pink.1 = 0.96300 * pink.1 + white * 0.2965164
        pink.2 = 0.57000 * pink.2 + white * 1.0526913
        let coloured = (pink.0 + pink.1 + pink.2 + white * 0.1848) * 0.587
        return (Float.random(in: -1...1, using: &generator) * 1.732 + coloured) * 0.7071
    }
}
