// SPDX-License-Identifier: MIT

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An identifier as the API makes them, such as `resp_` and 48 hexadecimal digits.
    mutating func identifier(_ prefix: String, digits: Int = 48) -> String {
        var text = prefix
        while text.utf8.count < prefix.utf8.count + digits {
            let word = String(next(), radix: 16)
            text += String(repeating: "0", count: 16 - word.count) + word
        }
        return String(text.prefix(prefix.count + digits))
    }
}
