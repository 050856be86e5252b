// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Speech

struct CountTableTests {
    /// Keys meet by chance, since there are few, and the table grows from its smallest size.
    @Test(arguments: [UInt64(1), 2026]) func `sums are those of a dictionary`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = CountTable(bits: 1)
        var sums: [UInt64: Double] = [:]
        for _ in 0..<20_000 {
            let key = UInt64.random(in: 0..<3_000, using: &generator) << (generator.next() % 3 * 21)
            let value = Double.random(in: 0..<1, using: &generator)
            table.add(value, to: key)
            sums[key, default: 0] += value
        }
        #expect(table.count == sums.count)
        #expect(sums.allSatisfy { table[$0] == $1 })
        #expect(table[1 << 62] == nil)
        let many = table.sorted { _, sum in sum > 2 }
        #expect(many.map(\.key) == sums.filter { $0.value > 2 }.keys.sorted())
        #expect(many.allSatisfy { sums[$0.key] == $0.sum })
    }

    @Test func `drawn numbers are those of the standard library`() {
        var generator = SeededGenerator(seed: 0x5EED)
        var same = generator
        for limit in [1, 0.35, 12.5, 1e-300] {
            for _ in 0..<1_000 {
                let number = GrammarNetwork.number(below: limit, &generator)
                #expect(number == Double.random(in: 0..<limit, using: &same))
            }
        }
    }
}
