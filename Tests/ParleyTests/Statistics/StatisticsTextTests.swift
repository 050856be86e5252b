// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Foundation
import Localization
import TerminalKit
import Testing

@testable import parley

@Suite struct StatisticsTextTests {
    static let first = CalendarDate("2026-03-01") ?? .epoch

    /// A turn on the n-th of March.
    private func turn(
        _ day: Int, _ outcome: TurnOutcome, _ latency: Duration? = nil, source: AnswerSource? = nil,
        usage: AnswerUsage? = nil, modality: Message.Modality = .text, sentences: Int = 0
    ) -> CountedTurn {
        let start = Date(timeIntervalSince1970: Double(Self.first.dayNumber + day - 1) * 86_400 + 60)
        var turn = CountedTurn(
            TurnMeasurement(
                turn: TurnID(), startedAt: start, modality: modality, outcome: outcome,
                latencies: latency.map { [.answer: $0] } ?? [:], sentences: sentences, cachedSentences: sentences / 2))
        if let source { turn.add(source: source, usage: usage, state: .whole) }
        return turn
    }

    func statistics(_ turns: [CountedTurn]) -> Statistics {
        Statistics(turns) { CalendarDate(dayNumber: Int($0.timeIntervalSince1970 / 86_400)) ?? .epoch }
    }

    private func lines(_ turns: [CountedTurn], width: Int = 80, usesUnicode: Bool = true) throws -> [String] {
        StatisticsText(
            statistics: statistics(turns), since: Self.first, today: try #require(CalendarDate("2026-03-03")),
            width: width, glyphs: Glyphs(hasUnicode: usesUnicode), translator: .english
        ).lines
    }

    var turns: [CountedTurn] {
        let usage = AnswerUsage(inputTokens: 1_200, outputTokens: 30, cost: 0.0123)
        let unpriced = AnswerUsage(inputTokens: 1, outputTokens: 2, cost: nil)
        return [
            turn(1, .answered, .milliseconds(1), source: .states),
            turn(3, .answered, .milliseconds(3), source: .states),
            turn(
                3, .answered, .milliseconds(1_234), source: .model("gpt"), usage: usage, modality: .voice,
                sentences: 4),
            turn(3, .answered, .milliseconds(900), source: .model("own"), usage: unpriced),
            turn(3, .refused("invalidQuery")), turn(3, .stopped),
        ]
    }

    @Test func `counts, plots and tables are aligned`() throws {
        let all = try lines(turns)
        #expect(all.first == "Since 2026-03-01: 6 questions on 2 days, 1 spoken")
        for line in [
            "  answered   4  80% of those that nobody stopped", "  refused    1  invalidQuery 1", "  stopped    1",
            "  sentences  4  asked of the speech cache, which had 50%", "     5 ┤  █", "       └───",
            "  states     2  ████████████████████████████████████████", "  model:gpt  1  ████████████████████",
            "  latency in ms   count  p50   p90   p99  longest", "  answer, model       2  900  1234  1234     1234",
            "  answer, states      2  1.0   3.0   3.0      3.0",
            "  cost        model  answers  tokens in  out  US dollars",
            "  2026-03-03  gpt          1       1200   30      0.0123",
            "  2026-03-03  own          1          1    2   not known",
            "  0.0123 in all, and 1 answer without a known price",
        ] { #expect(all.contains(line), "\(line) is missing in\n\(all.joined(separator: "\n"))") }
    }

    @Test func `without Unicode it is ASCII, and a narrow terminal is not overrun by plots`() throws {
        #expect(try lines(turns, usesUnicode: false).allSatisfy { $0.allSatisfy(\.isASCII) })
        let latencies = try lines(turns, width: 44).drop { !$0.hasPrefix("  latency") }.prefix { !$0.isEmpty }
        #expect(latencies.count == 3 && latencies.allSatisfy { $0.columns == 44 }, "\(latencies)")
        let narrow = try lines(turns, width: 30).filter { $0.contains("█") }
        #expect(narrow.allSatisfy { $0.count <= 30 }, "\(narrow)")
    }

    @Test func `a huge cost is cut`() throws {
        let usage = AnswerUsage(inputTokens: 1, outputTokens: 1, cost: 1e300)
        #expect(
            try lines([turn(1, .answered, source: .model("gpt"), usage: usage)]).last == "  1000000000000.0000 in all")
    }

    @Test func `without a question there is no line`() throws {
        #expect(try lines([]).isEmpty)
        let text = OpenMetrics.text(of: statistics([]).families(since: Date(timeIntervalSince1970: 0)))
        #expect(text.hasSuffix("# EOF\n") && text.contains("parley_statistics_start_time_seconds 0.0\n"))
    }

    @Test func `each family of metrics is told once, with its unit as its end`() throws {
        let text = OpenMetrics.text(of: statistics(turns).families(since: Date(timeIntervalSince1970: 0)))
        var families: [String] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "#" {
                if words[1] == "TYPE" { families.append(words[2]) }
                if words[1] == "UNIT" { #expect(words[2].hasSuffix("_" + words[3])) }
                if words[1] != "EOF" { #expect(words[2] == families.last, "\(line)") }
            } else {
                let name = String(line.prefix { $0 != "{" && $0 != " " })
                #expect(name == families.last, "\(line)")
            }
        }
        #expect(families.count == Set(families).count && families.count == 12, "\(families)")
        #expect(text.hasSuffix("\n# EOF\n"))
    }

    @Test func `the day and its beginning are the system's`() throws {
        let day = try #require(CalendarDate("2026-03-29"))
        #expect(CalendarDate(localDayOf: day.localStart) == day)
        #expect(CalendarDate(localDayOf: day.localStart.addingTimeInterval(-1)).dayNumber == day.dayNumber - 1)
    }
}
