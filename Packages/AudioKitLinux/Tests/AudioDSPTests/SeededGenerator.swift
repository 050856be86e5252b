// SPDX-License-Identifier: MIT

import TestKit

extension SeededGenerator {
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
