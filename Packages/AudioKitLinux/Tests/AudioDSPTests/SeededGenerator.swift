// SPDX-License-Identifier: MIT

/// SplitMix64 (Steele, Lea, Flood, 2014): the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Samples spread evenly over −1…1.
    mutating func samples(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float(Int64(bitPattern: next()) >> 40) / 8_388_608 }
    }

    /// As `samples`, but one in eight is extreme: infinite, not a number, denormal, at full scale or far beyond.
    mutating func wildSamples(_ count: Int) -> [Float] {
        let extremes: [Float] = [
            .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNormalMagnitude,
            .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, 1, -1, 0.99999, -0.0, 1.5, -1.5, 32_767.5 / 32_768, 0.5 / 32_768,
        ]
        return samples(count).map { sample in
            let draw = next()
            return draw % 8 == 0 ? extremes[Int(draw >> 32) % extremes.count] : sample
        }
    }
}
