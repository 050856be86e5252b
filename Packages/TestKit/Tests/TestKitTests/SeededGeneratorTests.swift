// SPDX-License-Identifier: MIT

import TestKit
import Testing

@Suite struct SeededGeneratorTests {
    /// The first numbers of the authors' own program for the seed 1234567.
    @Test func `the numbers are those of SplitMix64`() {
        var generator = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in generator.next() } == expected)
    }

    @Test func `units are in 0 ..< 1`() {
        var generator = SeededGenerator(seed: 1)
        let units = (0..<10_000).map { _ in generator.unit() }
        #expect(units.allSatisfy { (0..<1).contains($0) })
        #expect(abs(units.reduce(0, +) / 10_000 - 0.5) < 0.02)
    }
}
