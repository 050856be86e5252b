// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import StateKnowledge

@Suite struct EditDistanceTests {
    /// The textbook recursion, slow and plain.
    private func oracle(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        guard let a = left.last, let b = right.last else { return left.count + right.count }
        var best = min(
            oracle(left.dropLast(), right) + 1, oracle(left, right.dropLast()) + 1,
            oracle(left.dropLast(), right.dropLast()) + (a == b ? 0 : 1))
        let (before, other) = (left.dropLast(), right.dropLast())
        if let c = before.last, let d = other.last, a == d, b == c {
            best = min(best, oracle(before.dropLast(), other.dropLast()) + 1)
        }
        return best
    }

    @Test func agreesWithTheDefinition() {
        var random = SeededGenerator(seed: 20_240_917)
        for _ in 0..<400 {
            let words = (0..<2).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
            }
            let expected = oracle(words[0][...], words[1][...])
            for limit in 0...4 {
                let found = EditDistance.between(words[0], words[1], limit: limit)
                #expect(found == (expected <= limit ? expected : nil), "seed 20240917, \(words), limit \(limit)")
            }
        }
    }

    @Test func knownPairs() {
        func distance(_ left: String, _ right: String) -> Int? {
            EditDistance.between(Array(left.utf8), Array(right.utf8), limit: 3)
        }
        #expect(distance("ohoi", "ohio") == 1)
        #expect(distance("missisipi", "mississippi") == 2)
        #expect(distance("texas", "texas") == 0)
        #expect(distance("utah", "ohio") == nil)
    }
}
