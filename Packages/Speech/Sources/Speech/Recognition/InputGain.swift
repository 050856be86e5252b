// SPDX-License-Identifier: MIT

/// Brings an utterance to a level at which 16 bits neither clip nor are too coarse.
///
/// The gain is found on the first half second and then kept, so that the sound inside an utterance is not bent; it
/// leaves room for what is 18 dB louder than the beginning.
struct InputGain {
    private static let windowSamples = 8000
    private static let frameSamples = 320
    /// The level of the first half second's loudest frame that comes out, about −28 dBFS.
    private static let target: Float = 0.04
    private static let largest: Float = 30

    private var waiting: [Float] = []
    private var factor: Float?
    private var dither: UInt32 = 0x1234_5678

    /// Takes samples in −1…1 and gives out those whose gain is known.
    mutating func process(_ samples: [Float]) -> [Int16] {
        if let factor { return scale(samples, by: factor) }
        waiting += samples
        guard waiting.count >= Self.windowSamples else { return [] }
        return flush()
    }

    /// Gives out what was held back.
    mutating func finish() -> [Int16] { factor == nil ? flush() : [] }

    private mutating func flush() -> [Int16] {
        let held = waiting
        waiting = []
        let factor = Self.factor(for: held)
        self.factor = factor
        return scale(held, by: factor)
    }

    private static func factor(for samples: [Float]) -> Float {
        var loudest: Float = 0
        var start = 0
        while start < samples.count {
            let end = min(start + frameSamples, samples.count)
            var sum: Float = 0
            for sample in samples[start..<end] where sample.isFinite { sum += sample * sample }
            loudest = max(loudest, sum / Float(frameSamples))
            start = end
        }
        guard loudest > 0 else { return 1 }
        return min(largest, target / loudest.squareRoot())
    }

    /// Scales, adds noise of ±1 step (digital silence misleads the recogniser) and clamps.
    private mutating func scale(_ samples: [Float], by factor: Float) -> [Int16] {
        let scaled = factor * 32768
        return samples.map { sample in
            dither = dither &* 1_664_525 &+ 1_013_904_223
            let noise = Float(dither >> 16) * (2.0 / 65536) - 1
            let value = sample.isFinite ? sample * scaled + noise : noise
            return Int16(max(-32768, min(32767, value.rounded())))
        }
    }
}
