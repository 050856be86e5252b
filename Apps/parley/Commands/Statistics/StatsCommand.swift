// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import TerminalKit

/// `parley stats`: counts over the questions of this device.
struct StatsCommand: Command {
    private static let since = ValueOption<CalendarDate>(
        "since", placeholder: "DAY", help: "Only from this day on: 2026-01-31", expected: "a day such as 2026-01-31",
        parse: CalendarDate.init)
    private static let openMetrics = Flag("openmetrics", help: "Write OpenMetrics text, for Prometheus and its like")
    static let specification = CommandSpecification(
        path: ["stats"],
        summary: "Show how many questions were answered, how fast, by what and at what cost",
        discussion: """
            Counted are the questions of this device, of the last 90 days: when each began, how it ended and what it took; no
            words. Nothing of it is sent anywhere. What is deleted from the history, and what was asked with --no-history, does
            not count. Percentiles are values that were measured (nearest rank).
            """,
        options: [since, openMetrics])

    private let since: CalendarDate?
    private let writesOpenMetrics: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        since = invocation[Self.since]
        writesOpenMetrics = invocation.has(Self.openMetrics)
        guard !writesOpenMetrics || !invocation.has(.json) else {
            throw invocation.error("Choose --json or --openmetrics, not both.")
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (now, window) = (Date.now, TurnMeasurement.window(at: .now))
        let begin = min(max(since?.localStart ?? window.lowerBound, window.lowerBound), window.upperBound)
        let turns = try await app.conversations().turns(in: begin..<window.upperBound)
        let statistics = Statistics(turns) { CalendarDate(localDayOf: $0) }
        guard !writesOpenMetrics else {
            try console.output.write(OpenMetrics.text(of: statistics.families(since: begin)))
            return .done
        }
        let text = StatisticsText(
            statistics: statistics, since: max(since ?? .epoch, CalendarDate(localDayOf: begin)),
            today: CalendarDate(localDayOf: now),
            width: console.output.columns, glyphs: console.traits.glyphs, translator: console.translator)
        if turns.isEmpty { console.progress("No question was counted since \(text.since).") }
        for line in text.lines { try console.show(line) }
        try console.emit(StatisticsOutput(statistics, since: text.since))
        return .done
    }
}
