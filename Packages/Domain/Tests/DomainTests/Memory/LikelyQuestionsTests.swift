// SPDX-License-Identifier: MIT

import DomainTestSupport
import FoundationEssentials
import TestKit
import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct LikelyQuestionsTests {
    /// 08:00 UTC.
    private static let now = Date(timeIntervalSince1970: 1_789_977_600)

    private typealias Said = (text: String, kind: String?, secondsAgo: Double)

    private func likely(_ asked: [Said], at now: Date = Self.now) -> LikelyQuestions {
        LikelyQuestions(
            asked.map { AskedQuestion($0.text, kind: $0.kind, askedAt: Self.now.addingTimeInterval(-$0.secondsAgo)) },
            at: now, secondsFromGMT: { _ in 0 })
    }

    /// The same question, so many seconds after now's time of day, on the last days.
    private func daily(_ text: String, _ kind: String?, _ seconds: Double, days: Int = 20) -> [Said] {
        (1...days).map { day -> Said in (text, kind, Double(day) * 86_400 - seconds) }
    }

    @Test func `the formula by hand`() {
        // "a" and "b" two weeks ago, and "a" just now: w(a) = 1.5, h(a) = 4, w(b) = 0.5, h(b) = 20/9, all in one hour.
        // P0(b) = 5/32; P1(b) = (1/2 + 5/32) / (3/2) = 7/16; P2(b) = (1/2 + 7/16) / (3/2) = 5/8.
        let weeks = 14 * 86_400.0
        let history: [Said] = [("a", "x", weeks - 20), ("b", "y", weeks - 50), ("a", "x", -60)]
        let found = likely(history, at: Self.now.addingTimeInterval(60)).all
        #expect(found.map(\.text) == ["b", "a"])
        #expect(abs(found[0].probability - 0.625) < 1e-3 && abs(found[1].probability - 0.375) < 1e-3, "\(found)")
    }

    @Test func `a habit keeps its hour when the clocks change`() {
        // The clock was an hour behind on the past days: what was asked at 07:00 UTC was asked at this hour.
        let habits = daily("What is new?", nil, -3_600) + daily("And the weather?", nil, 0)
        func first(_ before: Int) -> String? {
            LikelyQuestions(
                habits.map { AskedQuestion($0.text, kind: nil, askedAt: Self.now.addingTimeInterval(-$0.secondsAgo)) },
                at: Self.now, secondsFromGMT: { $0 > Self.now.addingTimeInterval(-7_200) ? 0 : before }
            ).next().first
        }
        #expect(first(0) == "And the weather?")
        #expect(first(3_600) == "What is new?")
    }

    @Test func `a beginning is likely at its time of day alone`() {
        let mornings = daily("What is new?", "model", 900) + daily("And the weather?", "model", 960)
        #expect(likely(mornings).next().first == "What is new?")
        let days = mornings + daily("Good night", nil, 43_200)
        #expect(likely(days).next().first == "What is new?")
        let later = likely(days, at: Self.now.addingTimeInterval(12 * 3_600))
        #expect(later.next().first == "Good night", "\(later.all)")
        let after = likely(mornings + [("please, what's new", "model", 0)])
        #expect(after.next().first == "And the weather?", "\(after.all)")
    }

    @Test func `the kind of the answer says more than nothing of a new question`() {
        var said = daily("how long is left", "intent:timeLeft", 60) + daily("tell me a joke", "model", 40_000)
        for day in 1...20 {
            said.append(("set a timer for \(day) minutes", "intent:setTimer", Double(day) * 86_400))
        }
        let found = likely(said + [("set a timer for 99 minutes", "intent:setTimer", 5)])
        #expect(found.all.first?.text == "how long is left", "\(found.all.prefix(3))")
    }

    @Test func `no history predicts nothing, and its order does not count`() {
        #expect(likely([]).all.isEmpty && likely([("a", nil, -10)]).all.isEmpty)
        let seed = UInt64.random(in: 1...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var asked: [Said] = []
            for _ in 0..<Int.random(in: 1...60, using: &dice) {
                asked.append(("q\(Int.random(in: 0..<5, using: &dice))", "k", 2e6 * dice.unit()))
            }
            let first = likely(asked).all
            asked.shuffle(using: &dice)
            #expect(likely(asked).all == first, "seed \(seed)")
            #expect(first.allSatisfy { (0...1).contains($0.probability) }, "seed \(seed)")
        }
    }

    @Test func `kinds are those of the stored answers`() {
        let (conversation, turn) = (Identifier<Conversation>(), TurnID())
        func message(_ role: Message.Role, _ text: String, _ turn: TurnID, _ source: AnswerSource?) -> Message {
            Message(
                conversation: conversation, turn: turn, role: role, modality: .text, text: text, createdAt: Self.now,
                source: source)
        }
        let messages = [
            message(.user, "louder", turn, nil), message(.assistant, "OK.", turn, .intent("raiseVolume")),
            message(.user, "who wrote Dracula", TurnID(), nil),
        ]
        let asked = AskedQuestion.questions(of: messages)
        #expect(asked.map(\.text) == ["louder", "who wrote Dracula"])
        #expect(asked.map(\.kind) == ["intent:raiseVolume", nil])
    }

    /// The least probability was chosen on the histories 1 to 8; here are others.
    @Test func `it is ready for more turns than simpler rules, with less for nothing`() {
        let seeds = 101...104 as ClosedRange<UInt64>
        let outcomes = PreloadEvaluation.Rule.allCases.map { rule in
            seeds.map { PreloadEvaluation.outcome(of: rule, over: GeneratedHistory(seed: $0, days: 40)) }
                .reduce(PreloadEvaluation.Outcome(), +)
        }
        #expect(outcomes[0].turns > 500 && outcomes[0].share > 0.2, "\(outcomes[0]), seeds \(seeds)")
        for other in outcomes.dropFirst() {
            #expect(outcomes[0].share > other.share, "\(outcomes), seeds \(seeds)")
        }
    }
}
