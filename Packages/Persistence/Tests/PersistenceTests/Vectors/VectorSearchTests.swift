// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

/// Every product in double precision, and a sort.
private func oracle(
    _ rows: [(id: Int64, vector: [Float])], _ query: [Float], _ metric: VectorMetric
) -> [(id: Int64, score: Double)] {
    func dot(_ a: [Float], _ b: [Float]) -> Double { zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) } }
    return rows.map { row in
        let product = dot(row.vector, query)
        let lengths = (dot(row.vector, row.vector) * dot(query, query)).squareRoot()
        return (row.id, metric == .cosine ? product / lengths : product)
    }
    .sorted { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
}

@Suite struct VectorSearchTests {
    private func random(_ dimension: Int, _ generator: inout SeededGenerator) -> [Float] {
        (0..<dimension).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    @Test(arguments: [(1, 5), (3, 300), (15, 255), (16, 256), (17, 257), (100, 1_030), (384, 700)])
    func everySearchIsAsTheOracleSays(dimension: Int, count: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let index = try await VectorIndex(at: nil, dimension: dimension, threads: dimension % 2 + 1)
        var rows = (0..<count).map { row in (id: Int64(row * 7 % 5_003), vector: random(dimension, &generator)) }
        try await index.insert(rows)
        // Some are removed, some replaced.
        let removed = Set(rows.filter { _ in Int.random(in: 0..<5, using: &generator) == 0 }.map(\.id))
        #expect(try await index.remove(removed) == removed.count)
        rows.removeAll { removed.contains($0.id) }
        for place in rows.indices.prefix(10) {
            rows[place].vector = random(dimension, &generator)
            try await index.insert(rows[place].vector, id: rows[place].id)
        }
        #expect(await index.count == rows.count)

        for metric in VectorMetric.allCases {
            let query = random(dimension, &generator)
            let some = Set(rows.map(\.id).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
            var words = [UInt64](repeating: 0, count: 5_003 / 64 + 1)
            for id in some { words[Int(id / 64)] |= 1 << UInt64(id % 64) }
            let filters: [(VectorFilter, @Sendable (Int64) -> Bool)] = [
                (.all, { _ in true }), (.ids(some.union([99_999])), { some.contains($0) }),
                (.bitmap(words), { some.contains($0) }), (.matching { $0 % 3 == 1 }, { $0 % 3 == 1 }),
            ]
            for (filter, accepts) in filters {
                let expected = oracle(rows.filter { accepts($0.id) }, query, metric)
                for limit in [1, 10, count * 2] {
                    let found = try await index.nearest(to: query, limit: limit, metric: metric, filter: filter)
                    let here: Comment = "seed \(seed), \(dimension) × \(count), \(metric), \(filter), limit \(limit)"
                    #expect(found.count == min(limit, expected.count), here)
                    let scores = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0.score) })
                    for (match, best) in zip(found, expected) {
                        let tolerance = 1e-5 * Double(dimension).squareRoot()
                        // Two that are nearly as near may change places.
                        #expect(abs(Double(match.score) - best.score) < tolerance, here)
                        #expect(abs(Double(match.score) - (scores[match.id] ?? .nan)) < tolerance, here)
                    }
                    #expect(Set(found.map(\.id)).count == found.count, here)
                }
            }
        }
    }

    @Test func atOneScoreTheLowerNumberComesFirst() async throws {
        let ids: [Int64] = [5, .max, -3, 900, 0, .min, 12, 7, 8, 9]
        for threads in [1, 2, 3] {
            let index = try await VectorIndex(at: nil, dimension: 4, threads: threads)
            // 600 of another direction between them, so that they are in several chunks.
            for (place, id) in ids.enumerated() {
                try await index.insert([1, 2, 2, 0], id: id)
                try await index.insert((0..<60).map { (id: Int64(10_000 + place * 60 + $0), vector: [0, 0, 0, 1]) })
            }
            for metric in VectorMetric.allCases {
                let found = try await index.nearest(to: [1, 2, 2, 0], limit: 6, metric: metric)
                #expect(found.map(\.id) == Array(ids.sorted().prefix(6)))
                #expect(Set(found.map(\.score)) == [metric == .cosine ? 1 : 9])
            }
        }
    }

    @Test func everyKernelSaysTheSame() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        #expect(VectorKernel.supported.first == .portable)
        for width in [16, 32, 48, 384] {
            let (rows, query) = (random(width * 8, &generator), random(width, &generator))
            for kernel in VectorKernel.supported {
                var products = [Float](repeating: .nan, count: 8)
                kernel.dotProducts(of: rows, width: width, count: 8, with: query, into: &products)
                for row in 0..<8 {
                    let exact = (0..<width).reduce(0.0) { $0 + Double(rows[row * width + $1]) * Double(query[$1]) }
                    #expect(abs(Double(products[row]) - exact) < 1e-4, "seed \(seed), \(kernel), \(width), row \(row)")
                }
            }
        }
    }

    @Test func theHeapKeepsTheNearest() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let all = (0..<Int.random(in: 0..<60, using: &generator)).map { id in
                VectorMatch(id: Int64(id), score: Float(Int.random(in: 0..<9, using: &generator)))
            }
            let limit = Int.random(in: 0..<20, using: &generator)
            var top = TopMatches(limit: limit)
            for match in all.shuffled(using: &generator) { top.offer(match) }
            #expect(top.sorted == Array(all.sorted(by: VectorMatch.isNearer).prefix(limit)), "seed \(seed)")
        }
    }

    @Test func whatCannotBeComparedIsRefused() async throws {
        let index = try await VectorIndex(at: nil, dimension: 3)
        try await index.insert([1, 0, 0], id: 1)
        let refused: [([Float], DatabaseError.Code)] = [
            ([1, 0], .wrongDimension), ([1, 0, 0, 0], .wrongDimension), ([], .wrongDimension),
            ([0, 0, 0], .invalidValue),
            ([1, .nan, 0], .invalidValue), ([.infinity, 0, 0], .invalidValue), ([0, -.infinity, 0], .invalidValue),
            ([1e16, 0, 0], .invalidValue), ([1e-16, 0, 0], .invalidValue),
            ([.greatestFiniteMagnitude, .greatestFiniteMagnitude, 0], .invalidValue),
        ]
        for (vector, expected) in refused {
            #expect(await code { try await index.insert(vector, id: 2) } == expected)
            #expect(
                await code { try await index.insert([(id: 3, vector: [0, 1, 0]), (id: 2, vector: vector)]) } == expected
            )
            #expect(await code { _ = try await index.nearest(to: vector) } == expected)
        }
        #expect(
            await code { try await index.insert([(id: 3, vector: [0, 1, 0]), (id: 3, vector: [1, 0, 0])]) }
                == .invalidValue)
        #expect(await index.count == 1)
        #expect(try await index.nearest(to: [1, 1, 0]).map(\.id) == [1])
        #expect(try await index.nearest(to: [1, 1, 0], limit: 0).isEmpty)
        #expect(try await index.nearest(to: [1, 1, 0], limit: -1).isEmpty)
        #expect(try await VectorIndex(at: nil, dimension: 3).nearest(to: [1, 1, 0]).isEmpty)
        for dimension in [0, -1, 16_385] {
            #expect(await code { _ = try await VectorIndex(at: nil, dimension: dimension) } == .wrongDimension)
        }
    }
}
