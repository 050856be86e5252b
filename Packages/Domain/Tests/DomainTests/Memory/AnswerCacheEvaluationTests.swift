// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import Testing

/// The model's numbers were chosen on the histories 1 to 24; here are others.
@Suite struct AnswerCacheEvaluationTests {
    private static let seeds = 101...112 as ClosedRange<UInt64>

    private func rate(_ rule: AnswerCacheEvaluation.Rule, _ size: Int) -> Double {
        Self.seeds.map {
            AnswerCacheEvaluation.hitRate(of: rule, size: size, over: GeneratedHistory(seed: $0))
        }.reduce(0, +) / Double(Self.seeds.count)
    }

    @Test(arguments: [10, 20])
    func `it has more hits than LRU and LFU of the same size`(size: Int) {
        let rates = AnswerCacheEvaluation.Rule.allCases.map { ($0, rate($0, size)) }
        let (ours, others) = (rates[0].1, rates[1...2].map(\.1))
        #expect(others.allSatisfy { ours > $0 }, "\(rates), seeds \(Self.seeds)")
        #expect(rates.allSatisfy { $0.1 <= rates[3].1 }, "\(rates), seeds \(Self.seeds)")
    }

    @Test func `with room for all, the rules are equal`() {
        let rates = Set(AnswerCacheEvaluation.Rule.allCases.map { rate($0, 1_000_000) })
        #expect(rates.count == 1, "\(rates), seeds \(Self.seeds)")
    }

    @Test func `a chance of three quarters comes true about as often`() {
        var (likely, came) = (0, 0)
        for seed in Self.seeds {
            let asked = GeneratedHistory(seed: seed).turns.filter(\.asksForFact).map {
                (question: $0.text, time: $0.askedAt)
            }
            guard let end = asked.last?.time else { continue }
            for day in stride(from: 14.0, to: 83, by: 3) {
                let now = (asked.first?.time ?? end).addingTimeInterval(day * 86_400)
                let week = now...now.addingTimeInterval(7 * 86_400)
                let model = ReuseModel(asked: asked, now: now, secondsFromGMT: { _ in 0 })
                let next = Set(asked.filter { week.contains($0.time) }.map(\.question))
                for question in Set(asked.filter { $0.time <= now }.map(\.question))
                where (0.65...0.85).contains(model.chance(of: question, within: 7 * 86_400)) {
                    likely += 1
                    came += next.contains(question) ? 1 : 0
                }
            }
        }
        let share = Double(came) / Double(max(1, likely))
        #expect(likely > 300 && (0.6...0.85).contains(share), "\(share) of \(likely), seeds \(Self.seeds)")
    }
}
