// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TestKit
import Testing

@Suite struct AnswerRetentionTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func item(_ question: String, days: Double = 7) -> AnswerRetention.Item {
        .init(question: question, expiresAt: Self.now.addingTimeInterval(days * 86_400))
    }

    private func retention(_ asked: [(String, daysAgo: Double)]) -> AnswerRetention {
        let asked = asked.map { ($0.0, Self.now.addingTimeInterval(-86_400 * $0.daysAgo)) }
        return AnswerRetention(ReuseModel(asked: asked, now: Self.now, secondsFromGMT: { _ in 0 }), at: Self.now)
    }

    @Test func `without a history the longest unused goes first`() {
        #expect(retention([]).removable(of: ["a", "b", "c"].map { item($0) }, for: item("d")) == [0, 1, 2])
    }

    @Test func `what is asked each day goes last, and for its like alone`() {
        var asked = [("once", daysAgo: 3.0)]
        for day in 1...20 { asked += [("daily", Double(day)), ("other", Double(day))] }
        let retention = retention(asked)
        let kept = [item("daily"), item("never"), item("once")]
        #expect(retention.removable(of: kept, for: item("new")) == [1, 2])
        #expect(retention.removable(of: kept, for: item("other")) == [1, 2, 0])
        #expect(retention.removable(of: [item("daily", days: 0.1)], for: item("new")) == [0])
        #expect(retention.removable(of: [item("daily")], for: item("new")).isEmpty)
    }

    @Test func `each answer is named once at most, the likely ones last`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let asked = (0..<60).map { _ in ("q\(Int.random(in: 0..<12, using: &dice))", daysAgo: 40 * dice.unit()) }
            let model = ReuseModel(
                asked: asked.map { ($0.0, Self.now.addingTimeInterval(-86_400 * $0.daysAgo)) }, now: Self.now,
                secondsFromGMT: { _ in 0 })
            let kept = (0..<12).shuffled(using: &dice).map { item("q\($0)", days: 8 * dice.unit() - 1) }
            let new = item("q\(Int.random(in: 0..<13, using: &dice))")
            func isWorthIt(_ item: AnswerRetention.Item) -> Bool {
                model.chance(of: item.question, within: item.expiresAt.timeIntervalSince(Self.now))
                    > AnswerRetention.threshold
            }
            let order = AnswerRetention(model, at: Self.now).removable(of: kept, for: new)
            #expect(Set(order).count == order.count, "seed \(seed)")
            let worth = order.map { isWorthIt(kept[$0]) }
            #expect(zip(worth, worth.dropFirst()).allSatisfy { !$0 || $1 }, "seed \(seed)")
            let left = Set(kept.indices).subtracting(order)
            #expect(left.allSatisfy { isWorthIt(kept[$0]) } && (left.isEmpty || !isWorthIt(new)), "seed \(seed)")
            if isWorthIt(new) { #expect(order.count == kept.count, "seed \(seed)") }
        }
    }
}
