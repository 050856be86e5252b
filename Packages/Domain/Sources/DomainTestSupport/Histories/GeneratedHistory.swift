// SPDX-License-Identifier: MIT

public import FoundationEssentials
import TestKit

#if canImport(Glibc)
    import Glibc
#endif

/// A question of a ``GeneratedHistory``.
public struct GeneratedTurn: Sendable, Hashable {
    /// The time of the question.
    public let askedAt: Date
    /// The kind of the question: "fact", or the name of an intent.
    public let intent: String
    /// The words of the question. Two questions for the same fact have the same words.
    public let text: String

    /// True for a question for a fact.
    public var asksForFact: Bool { intent == "fact" }
}

/// The questions of an invented person, for evaluations of what the assistant remembers and expects.
///
/// The seed decides the person and all questions. A person has routines (orders and questions that follow each other at
/// an hour of some days), lessons (facts out of a fixed set at an hour, the first of the set most), topics that come and
/// go, facts that are asked once and never again, questions that are put twice within the hour, and days away. Nothing
/// here knows the models that are evaluated on it.
public struct GeneratedHistory: Sendable {
    /// The seed of this person.
    public let seed: UInt64
    /// The questions, the earliest first. No two have the same time.
    public private(set) var turns: [GeneratedTurn] = []

    private static let start = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z, a Thursday
    private static let routines: [[(intent: String, text: String)]] = [
        [
            ("time", "what time is it"), ("weather", "what is the weather today"),
            ("listAlarms", "which alarms are set"),
        ],
        [
            ("setTimer", "set a timer for 4 minutes"), ("timeLeft", "how long is left"),
            ("cancelTimer", "stop the timer"),
        ],
        [("setTimer", "set a timer for 25 minutes"), ("timeLeft", "how long is left")],
        [("date", "what day is it"), ("daysUntil", "how many days until my birthday")],
        [("raiseVolume", "louder"), ("repeatAnswer", "say that again")],
        [("weather", "will it rain tomorrow"), ("setAlarm", "wake me at 7"), ("lowerVolume", "quieter")],
        [("setAlarm", "wake me at 6 30"), ("listAlarms", "which alarms are set"), ("mute", "mute")],
        [("convert", "how many grams are 3 ounces"), ("convert", "how many millilitres is a cup")],
        [("news", "what is new"), ("weather", "what is the weather today")],
    ]

    /// Invents a person.
    ///
    /// - Parameters:
    ///   - seed: Decides everything; print it when a test fails.
    ///   - days: The length of the history, at least 1.
    public init(seed: UInt64, days: Int = 90) {
        self.seed = seed
        var dice = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 27)
        var person = Person(&dice, days: days)
        for day in 0..<days where dice.unit() > person.share(of: .away) {
            person.live(day, &dice)
        }
        var last = -1.0
        for turn in person.said.sorted(by: { $0.time < $1.time }) {
            last = max(turn.time, last + 1)
            turns.append(
                GeneratedTurn(askedAt: Self.start.addingTimeInterval(last), intent: turn.intent, text: turn.text))
        }
    }

    /// A person's habits, and what they have said so far, in seconds since the start.
    private struct Person {
        enum Habit { case away, echo, chained }
        struct Pool {
            let name: String
            let size: Int
            let steepness: Double
            let hour: Double
            let days: Set<Int>
            let from: Double
            let until: Double
            let sessions: Double
            let length: Int
        }
        struct Routine {
            let steps: [(intent: String, text: String)]
            let hour: Double
            let spread: Double
            let days: Set<Int>
            let chance: Double
        }

        var said: [(time: Double, intent: String, text: String)] = []
        private var pools: [Pool] = []
        private var routines: [Routine] = []
        private let away: Double
        private let echo: Double
        private let once: Double
        private var number = 0

        init(_ dice: inout SeededGenerator, days: Int) {
            away = 0.02 + 0.1 * dice.unit()
            echo = 0.03 + 0.09 * dice.unit()
            once = 1 + 5 * dice.unit()
            for steps in GeneratedHistory.routines.shuffled(using: &dice).prefix(Int.random(in: 3...6, using: &dice)) {
                routines.append(
                    Routine(
                        steps: steps, hour: 6 + 17 * dice.unit(), spread: 0.2 + dice.unit(), days: Self.week(&dice),
                        chance: 0.4 + 0.55 * dice.unit()))
            }
            for lesson in 0..<Int.random(in: 2...4, using: &dice) {
                pools.append(
                    Pool(
                        name: "lesson \(lesson)", size: Int.random(in: 15...60, using: &dice),
                        steepness: 0.4 + 0.8 * dice.unit(), hour: 7 + 15 * dice.unit(), days: Self.week(&dice), from: 0,
                        until: Double(days), sessions: 0.5 + 0.5 * dice.unit(),
                        length: Int.random(in: 2...8, using: &dice)))
            }
            var arrival = 0.0
            while arrival < Double(days) {
                pools.append(
                    Pool(
                        name: "topic \(pools.count)", size: Int.random(in: 5...30, using: &dice),
                        steepness: 0.3 + 0.9 * dice.unit(), hour: 8 + 14 * dice.unit(), days: Set(0..<7),
                        from: arrival, until: arrival + 1 + GeneratedHistory.wait(6, &dice), sessions: 0.7,
                        length: Int.random(in: 1...6, using: &dice)))
                arrival += GeneratedHistory.wait(5, &dice)
            }
        }

        func share(of habit: Habit) -> Double {
            switch habit {
            case .away: away
            case .echo: echo
            case .chained: 0.75
            }
        }

        mutating func live(_ day: Int, _ dice: inout SeededGenerator) {
            let weekday = (day + 3) % 7
            for routine in routines where routine.days.contains(weekday) && dice.unit() < routine.chance {
                var time = Self.moment(day, routine.hour, routine.spread, &dice)
                for step in routine.steps {
                    said.append((time, step.intent, step.text))
                    guard dice.unit() < share(of: .chained) else { break }
                    time += 8 + GeneratedHistory.wait(60, &dice)
                }
            }
            for pool in pools where pool.days.contains(weekday) && pool.from <= Double(day) && Double(day) < pool.until
            {
                guard dice.unit() < pool.sessions else { continue }
                var time = Self.moment(day, pool.hour, 0.5, &dice)
                for _ in 0..<Int.random(in: 1...pool.length, using: &dice) {
                    let item = GeneratedHistory.rank(of: pool.size, pool.steepness, &dice)
                    ask("what is number \(item) of \(pool.name)", time, &dice)
                    time += 10 + GeneratedHistory.wait(120, &dice)
                }
            }
            var time = 7 + GeneratedHistory.wait(16 / once, &dice)
            while time < 23 {
                number += 1
                ask("who discovered the thing of number \(number)", Double(day) * 86_400 + time * 3_600, &dice)
                time += GeneratedHistory.wait(16 / once, &dice)
            }
        }

        private mutating func ask(_ text: String, _ time: Double, _ dice: inout SeededGenerator) {
            said.append((time, "fact", text))
            if dice.unit() < share(of: .echo) { said.append((time + 20 + 3_000 * dice.unit(), "fact", text)) }
        }

        private static func week(_ dice: inout SeededGenerator) -> Set<Int> {
            switch dice.unit() {
            case ..<0.5: Set(0..<7)
            case ..<0.8: Set(0..<5)
            default: [5, 6]
            }
        }

        /// A time of a day around an hour, within the day.
        private static func moment(
            _ day: Int, _ hour: Double, _ spread: Double, _ dice: inout SeededGenerator
        ) -> Double {
            // The sum of three equal distributions is bell-shaped enough, and bounded.
            let noise = (dice.unit() + dice.unit() + dice.unit() - 1.5) * 2 * spread
            return (Double(day) + min(0.98, max(0, (hour + noise) / 24))) * 86_400
        }
    }

    /// An exponential wait with that mean.
    private static func wait(_ mean: Double, _ dice: inout SeededGenerator) -> Double {
        -mean * log(1 - dice.unit())
    }

    /// A number from 1 to `size`, the smaller ones more often (Zipf's law).
    private static func rank(of size: Int, _ steepness: Double, _ dice: inout SeededGenerator) -> Int {
        let weights = (1...size).map { pow(Double($0), -steepness) }
        var left = dice.unit() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return index + 1 }
        }
        return size
    }
}
