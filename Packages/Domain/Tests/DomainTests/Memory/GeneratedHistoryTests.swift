// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct GeneratedHistoryTests {
    @Test func `the seed decides the person and all questions`() {
        let history = GeneratedHistory(seed: 11, days: 20)
        #expect(history.turns == GeneratedHistory(seed: 11, days: 20).turns)
        #expect(history.turns != GeneratedHistory(seed: 12, days: 20).turns)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `questions are in order, some once, some often`(seed: UInt64) {
        let turns = GeneratedHistory(seed: seed).turns
        #expect(zip(turns, turns.dropFirst()).allSatisfy { $0.askedAt < $1.askedAt }, "seed \(seed)")
        let facts = Dictionary(grouping: turns.filter(\.asksForFact), by: \.text)
        #expect(facts.keys.allSatisfy { FactQuestion($0) != nil }, "seed \(seed)")
        #expect(facts.values.contains { $0.count == 1 } && facts.values.contains { $0.count > 9 }, "seed \(seed)")
        #expect(turns.count > 500 && turns.contains { !$0.asksForFact }, "seed \(seed)")
    }
}
