// SPDX-License-Identifier: MIT

import Domain
import Foundation
import TestKit
import Testing

@Suite struct StatisticsTests {
    @Test func `percentiles are values that so many percent do not exceed`() throws {
        let seed = UInt64.random(in: 1...999_999_999)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let values = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                Duration.microseconds(Int.random(in: 0...40, using: &random))
            }
            let percentiles = try #require(Percentiles(values))
            #expect(percentiles.count == values.count)
            for percent in 1...100 {
                let found = percentiles.value(percent)
                // The definition, without a sort and without a rank.
                func share(of limit: Duration) -> Int { values.count { $0 <= limit } * 100 }
                let isEnough = share(of: found) >= percent * values.count
                let isLeast = values.allSatisfy { $0 >= found || share(of: $0) < percent * values.count }
                #expect(values.contains(found) && isEnough && isLeast, "seed \(seed), \(percent) of \(values)")
            }
        }
    }

    @Test func `no durations have no percentiles, and one has all`() throws {
        #expect(Percentiles([]) == nil)
        let one = try #require(Percentiles([.seconds(3)]))
        #expect([-1, 1, 50, 99, 100, 101].map(one.value) == Array(repeating: .seconds(3), count: 6))
    }

    private static let day = 86_400.0

    private func turn(
        day: Double, _ outcome: TurnOutcome, _ latencies: [TurnLatency: Duration] = [:],
        modality: Message.Modality = .text, source: AnswerSource? = nil, usage: AnswerUsage? = nil,
        isCut: Bool = false, sentences: Int = 0, cached: Int = 0
    ) -> CountedTurn {
        var turn = CountedTurn(
            TurnMeasurement(
                turn: TurnID(), startedAt: Date(timeIntervalSince1970: day * Self.day + 60), modality: modality,
                outcome: outcome, latencies: latencies, sentences: sentences, cachedSentences: cached))
        if let source {
            turn.add(source: source, usage: usage, state: isCut ? .interrupted(heard: 1) : .whole)
        }
        return turn
    }

    private func count(_ turns: [CountedTurn]) -> Statistics {
        Statistics(turns) {
            CalendarDate(dayNumber: Int($0.timeIntervalSince1970 / Self.day)) ?? .epoch
        }
    }

    @Test func `without turns everything is empty`() {
        let none = count([])
        #expect(none.questions == 0 && none.successRate == nil && none.sentenceHitRate == nil)
        #expect(none.days.isEmpty && none.latencies.isEmpty && none.spending.isEmpty && none.sources.isEmpty)
    }

    @Test func `turns are counted by outcome, form, source and day`() throws {
        let found = count([
            turn(day: 1, .answered, source: .states),
            turn(day: 1, .answered, modality: .voice, source: .states, isCut: true, sentences: 4, cached: 1),
            turn(day: 1, .refused("invalidQuery")), turn(day: 3, .refused("invalidQuery")),
            turn(day: 3, .failed("offline")), turn(day: 3, .stopped), turn(day: 3, .kept),
            turn(day: 3, .answered, sentences: 1, cached: 1),
        ])
        #expect(found.questions == 8 && found.modalities == [.text: 7, .voice: 1] && found.interrupted == 1)
        #expect(
            found.outcomes == [
                .answered: 3, .refused("invalidQuery"): 2, .failed("offline"): 1, .stopped: 1, .kept: 1,
            ])
        #expect(found.sources == [.states: 2, nil: 1])
        #expect(found.successRate == 3.0 / 7, "who stops a question is no failure")
        #expect(found.days.map(\.date.dayNumber) == [1, 3])
        #expect(found.days.map(\.questions) == [3, 5] && found.days.map(\.answered) == [2, 1])
        #expect(found.sentences == 5 && found.cachedSentences == 2 && found.sentenceHitRate == 0.4)
    }

    @Test func `latencies are apart by stage, and those of answers by source`() throws {
        func answers(_ source: AnswerSource?, _ milliseconds: [Int]) -> [CountedTurn] {
            milliseconds.map {
                turn(day: 0, .answered, [.answer: .milliseconds($0), .playback: .milliseconds(1)], source: source)
            }
        }
        let models = answers(.model("a"), [900, 700]) + answers(.model("b"), [800])
        let found = count(answers(.states, [3, 1, 2]) + models)
        let shown = Dictionary(
            uniqueKeysWithValues: found.latencies.map { stage, percentiles in
                (
                    "\(stage.latency) \(stage.source ?? "")",
                    [50, 100].map(percentiles.value) + [.seconds(percentiles.count)]
                )
            })
        #expect(
            shown == [
                "answer states": [.milliseconds(2), .milliseconds(3), .seconds(3)],
                "answer model": [.milliseconds(800), .milliseconds(900), .seconds(3)],
                "playback ": [.milliseconds(1), .milliseconds(1), .seconds(6)],
            ])
    }

    @Test func `costs are summed by day and model, and unknown prices are told`() {
        func answer(_ day: Double, _ model: String, cost: Double?) -> CountedTurn {
            turn(
                day: day, .answered, source: .model(model),
                usage: AnswerUsage(inputTokens: 10, outputTokens: 1, cost: cost))
        }
        let found = count([
            answer(2, "a", cost: 0.25), answer(1, "b", cost: nil), answer(2, "a", cost: 0.5), answer(2, "b", cost: nil),
            answer(1, "a", cost: 1), turn(day: 1, .answered, source: .model("free")),
        ])
        #expect(found.spending.map { "\($0.date.dayNumber) \($0.model)" } == ["1 a", "1 b", "2 a", "2 b"])
        #expect(found.spending.map(\.cost) == [1, 0, 0.75, 0] && found.spending.map(\.unpriced) == [0, 1, 0, 1])
        #expect(found.spending.map(\.answers) == [1, 1, 2, 1])
        #expect(found.spending.map(\.inputTokens) == [10, 10, 20, 10] && found.spending[2].outputTokens == 2)
    }

    @Test func `sums of tokens that do not fit are the largest number`() {
        let usage = AnswerUsage(inputTokens: .max, outputTokens: .max, cost: nil)
        let found = count((0..<2).map { _ in turn(day: 0, .answered, source: .model("a"), usage: usage) })
        #expect(found.spending.map(\.inputTokens) == [.max] && found.spending.map(\.outputTokens) == [.max])
    }

    @Test func `kept answers are a share of those that a model would give`() {
        let made = [turn(day: 0, .answered, source: .model("a")), turn(day: 0, .answered, source: .states)]
        let kept = turn(day: 0, .answered, source: .cache)
        #expect(count(made).keptAnswerRate == nil)
        #expect(count(made + [kept, kept, kept]).keptAnswerRate == 0.75)
    }

    @Test func `the forms of an outcome are read back, and nothing else is`() {
        for outcome in [TurnOutcome.answered, .refused("a"), .failed("b"), .kept, .stopped] {
            #expect(TurnOutcome(name: outcome.name, code: outcome.code) == outcome)
        }
        for (name, code) in [("answered", "a"), ("refused", nil), ("failed", nil), ("", nil), ("gone", nil)] {
            #expect(TurnOutcome(name: name, code: code) == nil)
        }
    }
}
