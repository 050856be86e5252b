// SPDX-License-Identifier: MIT

import Concurrency

/// A vector of a text, always the same, of length 1; texts that share words and syllables are near each other.
///
/// Each word and each trigram of it puts a few pseudo-random numbers into the vector (feature hashing). Shorter vectors
/// are the beginning of longer ones, scaled anew, as the API's models have it.
enum TextVector {
    /// - Parameter full: The size that the model has.
    static func vector(of text: String, dimensions: Int, full: Int) -> [Float] {
        var vector = [Float](repeating: 0, count: full)
        // A small part that all texts share: no two are opposite.
        add("", weight: 0.5, to: &vector)
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            add(String(word), weight: 1, to: &vector)
            let letters = Array(" \(word) ")
            for start in 0..<max(0, letters.count - 2) {
                add("#" + String(letters[start..<(start + 3)]), weight: 0.4, to: &vector)
            }
        }
        let part = Array(vector.prefix(dimensions))
        let length = part.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 0 ? part.map { $0 / length } : part
    }

    private static func add(_ feature: String, weight: Float, to vector: inout [Float]) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in feature.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var random = SplitMix64(seed: hash)
        for place in vector.indices {
            let bits = random.next()
            vector[place] += weight * (Float(bits >> 40) / Float(1 << 23) - 1)
        }
    }
}
