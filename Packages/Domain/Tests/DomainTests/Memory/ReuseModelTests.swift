// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TestKit
import Testing

@Suite struct ReuseModelTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let week: TimeInterval = 7 * 86_400

    private func model(_ asked: [(String, hoursAgo: Double)], secondsFromGMT: Int = 0) -> ReuseModel {
        ReuseModel(
            asked: asked.map { ($0.0, Self.now.addingTimeInterval(-3_600 * $0.hoursAgo)) }, now: Self.now,
            secondsFromGMT: { _ in secondsFromGMT })
    }

    @Test func `the formula by hand`() {
        // One question 14 days ago: w = 1/2, E = 14 / ln 2 / 2, r = w / (E + 10); a whole day has 24 mean hours.
        let chance = model([("a", 14 * 24)]).chance(of: "a", within: 2 * 86_400)
        #expect(abs(chance - (1 - 0.951_463_4)) < 1e-6, "\(chance)")
        #expect(model([("a", 1)]).chance(of: "b", within: Self.week) == 0)
        #expect(model([("a", 1)]).chance(of: "a", within: 0) == 0)
        #expect(model([("a", -1)]).chance(of: "a", within: Self.week) == 0)
    }

    @Test func `a question of each day is above the threshold`() {
        let model = model((1...21).map { ("daily", Double($0) * 24) } + [("once", 30.0)])
        #expect(model.chance(of: "daily", within: Self.week) > AnswerRetention.threshold)
        #expect(model.chance(of: "once", within: Self.week) < 0.5)
    }

    @Test func `the time of day counts in the person's hours`() {
        // Now is 13:33 UTC; one is asked an hour later each day, the other one twelve hours later.
        var asked: [(String, hoursAgo: Double)] = []
        for day in 1...20 { asked += [("soon", Double(day) * 24 - 1), ("night", Double(day) * 24 - 12)] }
        for offset in [0, 7_200, -12_600, 43_200] {
            let model = model(asked, secondsFromGMT: offset)
            #expect(model.chance(of: "soon", within: 10_800) > 4 * model.chance(of: "night", within: 10_800))
        }
    }

    @Test func `chances are monotonous, and no order of the history counts`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var asked = (0..<Int.random(in: 1...40, using: &dice)).map { _ in
                ("q\(Int.random(in: 0..<4, using: &dice))", hoursAgo: 2_000 * dice.unit() - 20)
            }
            let offset = Int.random(in: -43_200...50_400, using: &dice)
            let first = model(asked, secondsFromGMT: offset)
            asked.shuffle(using: &dice)
            let second = model(asked, secondsFromGMT: offset)
            for question in ["q0", "q1", "none"] {
                var last = 0.0
                for hours in [0, 0.5, 3, 11, 24, 24.5, 100, 168, 1e9] {
                    let chance = first.chance(of: question, within: 3_600 * hours)
                    #expect((last...1).contains(chance), "seed \(seed)")
                    #expect(chance == second.chance(of: question, within: 3_600 * hours), "seed \(seed)")
                    last = chance
                }
            }
            // Asked once more, now, it is likelier.
            let more = model(asked + [("q0", 0)], secondsFromGMT: offset)
            #expect(
                more.chance(of: "q0", within: Self.week) > first.chance(of: "q0", within: Self.week), "seed \(seed)")
        }
    }
}
