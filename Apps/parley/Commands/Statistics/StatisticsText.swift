// SPDX-License-Identifier: MIT

import Domain
import Localization
import TerminalKit

/// Statistics for a person at a terminal: counts, plots and tables.
struct StatisticsText: Sendable {
    let statistics: Statistics
    /// The first day that counts.
    let since: CalendarDate
    /// The last day.
    let today: CalendarDate
    /// The columns of the terminal; nil for none: nothing is cut then, and plots have those of 80.
    let width: Int?
    let glyphs: Glyphs
    /// Shows the words in the person's language.
    let translator: Translator

    /// The lines; none without a question.
    var lines: [String] {
        guard statistics.questions > 0 else { return [] }
        let parts = [summary, plot, answers, latencies, costs].filter { !$0.isEmpty }
        return Array(parts.joined(separator: [""]))
    }

    private var summary: [String] {
        let spoken = statistics.modalities[.voice, default: 0]
        let (questions, days) = (statistics.questions, statistics.days.count)
        let counted = Sentence(one: "\(questions) question", other: "\(questions) questions", count: questions)
        let onDays = Sentence(one: "on \(days) day", other: "on \(days) days", count: days)
        var lines = [translator("Since \(since): \(counted) \(onDays), \(spoken) spoken")]
        var rows: [[String]] = []
        func row(_ label: Sentence, _ count: Int, _ remark: String = "") {
            rows.append(["  " + translator(label), "\(count)", "  " + remark])
        }
        for name in ["answered", "refused", "failed", "kept", "stopped"] {
            let outcomes = statistics.outcomes.filter { $0.key.name == name }
            let count = outcomes.values.reduce(0, +)
            guard count > 0 else { continue }
            var remark = outcomes.sorted { ($1.value, $0.key.code ?? "") < ($0.value, $1.key.code ?? "") }
                .compactMap { outcome, count in outcome.code.map { "\($0) \(count)" } }.joined(separator: ", ")
            if name == "answered", let share = statistics.successRate {
                remark = translator("\(Self.percent(share)) of those that nobody stopped")
            }
            row(Self.word(name), count, remark)
        }
        if statistics.interrupted > 0 { row("cut off" as Sentence, statistics.interrupted, translator("answers")) }
        if let share = statistics.keptAnswerRate, let kept = statistics.sources[.cache] {
            let remark = translator("kept answers, \(Self.percent(share)) of what else a model would answer")
            row("from memory" as Sentence, kept, remark)
        }
        if let share = statistics.sentenceHitRate {
            let remark = translator("asked of the speech cache, which had \(Self.percent(share))")
            row("sentences" as Sentence, statistics.sentences, remark)
        }
        lines += TextTable(rows, right: [1]).lines()
        return lines
    }

    /// An outcome in a word. "Kept" are answers, too.
    private static func word(_ outcome: String) -> Sentence {
        switch outcome {
        case "answered": "answered"
        case "refused": "refused"
        case "failed": "failed"
        case "kept": "waiting"
        default: "stopped"
        }
    }

    /// The plot begins with the first day that has a question, or as late as the width needs.
    private var plot: [String] {
        let first = statistics.days.first?.date ?? today
        let days = min(today.dayNumber - first.dayNumber + 1, max(7, (width ?? 80) - BarPlot.margin - 2))
        let plot = DayPlot(today: today, days: max(1, days), glyphs: glyphs)
        let byDay = Dictionary(statistics.days.map { ($0.date.dayNumber, $0.questions) }) { $0 + $1 }
        let counts = plot.dayNumbers.map { Double(byDay[$0] ?? 0) }
        let highest = max(counts.max() ?? 0, 1)
        return plot.lines(translator("questions a day"), counts.map { $0 / highest }, top: "\(Int(highest))")
    }

    private var answers: [String] {
        let unstored = translator("not stored")
        let sources = statistics.sources.map { (name: $0.key?.text.printable ?? unstored, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        guard let highest = sources.first?.count else { return [] }
        let room = max(8, min(40, (width ?? 80) - 40))
        return ["  " + translator("answers by source")]
            + TextTable(
                sources.map { source in
                    let length = max(1, source.count * room / highest)
                    return [
                        "  " + source.name, "\(source.count)", "  " + String(repeating: glyphs.filled, count: length),
                    ]
                }, right: [1]
            ).lines()
    }

    private var latencies: [String] {
        let rows = statistics.sortedLatencies.map { stage, percentiles in
            ["  " + translator(stage.latency.word) + (stage.source.map { ", " + $0 } ?? ""), "\(percentiles.count)"]
                + [50, 90, 99, 100].map { Self.milliseconds(percentiles.value($0)) }
        }
        guard !rows.isEmpty else { return [] }
        let head =
            ["  " + translator("latency in ms"), translator("count"), "p50", "p90", "p99", translator("longest")]
        return TextTable([head] + rows, right: [1, 2, 3, 4, 5]).lines(width: width, glyphs: glyphs)
    }

    private var costs: [String] {
        guard !statistics.spending.isEmpty else { return [] }
        let unknown = translator("not known")
        let rows = statistics.spending.map { day in
            [
                "  \(day.date)", "  " + day.model.printable, "\(day.answers)", "\(day.inputTokens)",
                "\(day.outputTokens)", day.unpriced == day.answers ? unknown : Self.dollars(day.cost),
            ]
        }
        let total = Self.dollars(statistics.spending.reduce(0) { $0 + $1.cost })
        let unpriced = statistics.spending.reduce(0) { $0 + $1.unpriced }
        let head = [
            "  " + translator("cost"), "  " + translator("model"), translator("answers"), translator("tokens in"),
            translator("out"), translator("US dollars"),
        ]
        let sum =
            unpriced == 0
            ? "\(total) in all"
            : Sentence(
                one: "\(total) in all, and \(unpriced) answer without a known price",
                other: "\(total) in all, and \(unpriced) answers without a known price", count: unpriced)
        return TextTable([head] + rows, right: [2, 3, 4, 5]).lines(width: width, glyphs: glyphs)
            + ["  " + translator(sum)]
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }

    private static func milliseconds(_ duration: Duration) -> String {
        let value = duration.milliseconds
        return value < 100 ? "\(value)" : "\(Int(value.rounded()))"
    }

    /// An amount in hundredths of a cent.
    private static func dollars(_ amount: Double) -> String {
        let units = Int((max(0, min(amount, 1e12)) * 10_000).rounded())
        let digits = String(units % 10_000)
        return "\(units / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)"
    }
}

extension TurnLatency {
    /// The stretch of time in a word or two.
    var word: Sentence {
        switch self {
        case .endpoint: "endpoint"
        case .recognition: "recognition"
        case .answer: "answer"
        case .wholeAnswer: "whole answer"
        case .synthesis: "synthesis"
        case .playback: "playback"
        case .reply: "reply"
        }
    }
}

extension Statistics {
    /// The latencies in the order of a turn.
    var sortedLatencies: [(stage: Stage, percentiles: Percentiles)] {
        let order = TurnLatency.allCases
        return latencies.map { (stage: $0.key, percentiles: $0.value) }.sorted { left, right in
            let places = [left, right].map { order.firstIndex(of: $0.stage.latency) ?? 0 }
            return (places[0], left.stage.source ?? "") < (places[1], right.stage.source ?? "")
        }
    }
}
