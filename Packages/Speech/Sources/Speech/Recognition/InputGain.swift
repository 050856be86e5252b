// SPDX-License-Identifier: MIT

/// Scales sound that comes in pieces to a level at which 16 bits neither clip nor are too coarse.
struct InputGain: Sendable {
    private static let frameSamples = 320
    /// The level of the loudest frame after scaling, about −18 dBFS.
    private static let target: Float = 0.12
    private static let largest: Float = 100

    /// The scale of the samples.
    let factor: Float
    private var dither: UInt32 = 0x1234_5678

    /// Scales by a factor.
    init(factor: Float) { self.factor = factor }

    /// Scales by the factor that suits a whole utterance, samples in −1…1.
    init(for samples: [Float]) { factor = Self.factor(for: samples) }

    /// A whole utterance, scaled to its own level.
    static func levelled(_ samples: [Float]) -> [Int16] {
        var gain = InputGain(for: samples)
        return gain.scaled(samples)
    }

    /// The next samples, scaled, with noise of ±3 steps added (digital silence misleads the recogniser).
    ///
    /// The noise goes on from piece to piece: begun anew in each, it alone changes one recognition of nine.
    mutating func scaled(_ samples: some Sequence<Float>) -> [Int16] {
        let scale = factor * 32768
        return samples.map { sample in
            dither = dither &* 1_664_525 &+ 1_013_904_223
            let noise = Float(dither >> 16) * (6.0 / 65536) - 3
            let value = sample.isFinite ? sample * scale + noise : noise
            return Int16(max(-32768, min(32767, value.rounded())))
        }
    }

    private static func factor(for samples: [Float]) -> Float {
        var loudest: Float = 0
        var start = 0
        while start < samples.count {
            let end = min(start + frameSamples, samples.count)
            var sum: Float = 0
            for index in start..<end where samples[index].isFinite { sum += samples[index] * samples[index] }
            loudest = max(loudest, sum / Float(frameSamples))
            start = end
        }
        guard loudest > 0, loudest.isFinite else { return 1 }
        return min(largest, target / loudest.squareRoot())
    }
}
