// SPDX-License-Identifier: MIT

import Domain
import Localization
import TerminalKit

/// Practice over days as bars of characters.
struct ProgressPlot: Sendable {
    let progress: PracticeProgress
    /// The last day.
    let today: CalendarDate
    /// The number of days, the last of them today.
    let days: Int
    let glyphs: Glyphs
    /// Shows the titles in the person's language.
    let translator: Translator

    /// Two plots, of the number and of the quality of readings.
    var lines: [String] {
        let plot = DayPlot(today: today, days: days, glyphs: glyphs)
        let byDay = Dictionary(progress.days.map { ($0.date.dayNumber, $0) }) { first, _ in first }
        let counts = plot.dayNumbers.map { Double(byDay[$0]?.count ?? 0) }
        let highest = max(counts.max() ?? 0, 1)
        let shares = plot.dayNumbers.map { byDay[$0]?.accuracy }
        var lines = plot.lines(translator("practised a day"), counts.map { $0 / highest }, top: "\(Int(highest))")
        if shares.contains(where: { $0 != nil }) {
            lines += [""] + plot.lines(translator("words right"), shares.map { $0 ?? 0 }, top: "100%")
        }
        return lines
    }
}
