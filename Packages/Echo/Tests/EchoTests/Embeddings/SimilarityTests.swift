// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import EchoText

@Suite("Similarity")
struct SimilarityTests {
    /// One component after another, in double precision.
    private func oracle(_ first: [Float], _ second: [Float]) -> Double {
        var (dot, one, other) = (0.0, 0.0, 0.0)
        for (left, right) in zip(first, second) {
            dot += Double(left) * Double(right)
            one += Double(left) * Double(left)
            other += Double(right) * Double(right)
        }
        return dot / (one.squareRoot() * other.squareRoot())
    }

    private func vector(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }

    @Test(
        "The kernel agrees with the scalar sums at every length",
        arguments: [0, 1, 2, 15, 16, 17, 31, 32, 33, 255, 1536, 3072])
    func kernel(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<20 {
            let (first, second) = (vector(count, &random), vector(count, &random))
            let (dot, square) = SimilarityKernel.products(first.span, second.span)
            let expected = zip(first, second).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            let squares = second.reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(Double(dot) - expected) < 1e-4)
            #expect(abs(Double(square) - squares) < 1e-3)
        }
    }

    @Test("The nearest are those of the oracle, in its order", arguments: 0..<20)
    func againstOracle(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let dimensions = Int.random(in: 1...200, using: &random)
        let query = vector(dimensions, &random)
        let vectors = (0..<200).map { _ in vector(dimensions, &random) }
        let count = Int.random(in: 1...250, using: &random)
        let found = Similarity.nearest(to: query, in: vectors, count: count)
        let expected = vectors.map { oracle(query, $0) }.sorted(by: >).prefix(count)
        #expect(found.count == min(200, count))
        for (match, similarity) in zip(found, expected) {
            #expect(abs(Double(match.similarity) - similarity) < 1e-5)
            #expect(abs(oracle(query, vectors[match.index]) - Double(match.similarity)) < 1e-5)
        }
    }

    @Test("Of equal ones the earlier is first")
    func ties() {
        let vectors: [[Float]] = [[0, 1], [1, 0], [2, 0], [1, 0], [-1, 0]]
        let found = Similarity.nearest(to: [1, 0], in: vectors, count: 10)
        #expect(found.map(\.index) == [1, 2, 3, 0, 4])
        #expect(found.map(\.similarity) == [1, 1, 1, 0, -1])
    }

    @Test("Vectors without a direction are left out, whatever is in them")
    func withoutDirection() {
        let vectors: [[Float]] = [[.nan, 1], [0, 0], [.infinity, 0], [1, 1], [1], []]
        #expect(Similarity.nearest(to: [1, 0], in: vectors, count: 9).map(\.index) == [3])
        #expect(Similarity.nearest(to: [.nan, 0], in: vectors, count: 9).isEmpty)
        #expect(Similarity.nearest(to: [0, 0], in: vectors, count: 9).isEmpty)
        #expect(Similarity.nearest(to: [1, 0], in: [], count: 9).isEmpty)
        #expect(Similarity.nearest(to: [1, 0], in: vectors, count: 0).isEmpty)
        #expect(Similarity.nearest(to: [1, 0], in: vectors, count: -1).isEmpty)
    }

    @Test("Very large and very small vectors have a direction, too")
    func range() {
        let vectors: [[Float]] = [[1e30, 1e30], [1e-30, 0], [0, 1e25]]
        let found = Similarity.nearest(to: [1e-25, 0], in: vectors, count: 3)
        #expect(found.map(\.index) == [1, 0, 2])
        #expect(abs(found[1].similarity - 0.70710677) < 1e-6)
    }
}
