// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@Suite struct SplitMix64Tests {
    @Test(arguments: [0, 1, 1_234_567, UInt64.max]) func `the numbers are those of the tests' generator`(seed: UInt64) {
        var (product, tests) = (SplitMix64(seed: seed), SeededGenerator(seed: seed))
        for _ in 0..<1_000 { #expect(product.next() == tests.next()) }
    }

    /// The first numbers of the authors' own program for the seed 1234567.
    @Test func `the numbers are the authors'`() {
        var generator = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        #expect(expected.map { _ in generator.next() } == expected)
        var digits = SplitMix64(seed: 1_234_567)
        #expect(digits.hexadecimalDigits(40).hasPrefix(String(expected[0], radix: 16)))
        #expect(digits.hexadecimalDigits(5).utf8.count == 5 && digits.hexadecimalDigits(0).isEmpty)
    }
}
