// SPDX-License-Identifier: MIT

/// Pseudorandom numbers that are the same for the same seed on every machine: SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
///
/// For a program whose output must be reproducible, such as a simulator. It is not secure. Tests use `SeededGenerator`
/// of TestKit, which imports nothing of the product and gives the same numbers.
public struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// A generator at the beginning of its sequence.
    public init(seed: UInt64) { state = seed }

    /// The next number, uniform over all values.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// `count` lowercase hexadecimal digits.
    public mutating func hexadecimalDigits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count {
            let word = String(next(), radix: 16)
            text += String(repeating: "0", count: 16 - word.utf8.count) + word
        }
        return String(text.prefix(count))
    }
}
