// SPDX-License-Identifier: MIT

/// Makes 16-bit samples of a stream, with noise of ±3 steps added: digital silence misleads the recogniser. The noise
/// depends on the sample's number alone.
struct InputDither {
    private var state: UInt32 = 0x1234_5678

    /// The next samples, with noise.
    mutating func levels(_ samples: [Float]) -> [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(samples.count)
        for sample in samples {
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Float(state >> 16) * (6.0 / 65536) - 3
            let value = sample.isFinite ? sample * 32768 + noise : noise
            result.append(Int16(max(-32768, min(32767, value.rounded()))))
        }
        return result
    }
}
