// SPDX-License-Identifier: MIT

/// Replaces sound by quiet noise, and fades from one to the other within 5 ms. Recognisers and voice activity detectors
/// behave badly on digital silence.
struct ComfortNoise {
    /// ±4 units of 16 bits.
    private static let amplitude: Float = 4 / 32_768
    private static let fadeFrames: Float = 120

    private var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The share of the sound that passes, from 0 to 1.
    private var gain: Float = 1

    /// The next sample of noise.
    mutating func next() -> Float {
        // Xorshift: the same noise on every run.
        seed ^= seed << 13
        seed ^= seed >> 7
        seed ^= seed << 17
        return (Float(seed % 9) / 4 - 1) * Self.amplitude
    }

    /// The sound, or noise instead of it.
    mutating func pass(_ sound: [Float], admits: Bool) -> [Float] {
        let target: Float = admits ? 1 : 0
        if admits, gain == 1 { return sound }
        return sound.map { sample in
            gain += max(-1 / Self.fadeFrames, min(1 / Self.fadeFrames, target - gain))
            return gain * sample + (1 - gain) * next()
        }
    }
}
