// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// A value for each of some days as bars of characters.
struct DayPlot: Sendable {
    /// The last day.
    let today: CalendarDate
    /// The number of days, the last of them today.
    let days: Int
    let glyphs: Glyphs

    /// The numbers of the days.
    var dayNumbers: ClosedRange<Int> { (today.dayNumber - days + 1)...today.dayNumber }

    /// A plot with an axis of days below it.
    ///
    /// - Parameters:
    ///   - shares: A share of `top` for each day, from 0 to 1.
    ///   - top: The label of the highest row.
    func lines(_ title: String, _ shares: [Double], top: String) -> [String] {
        BarPlot(glyphs: glyphs).lines(
            title, shares, top: top, first: CalendarDate(dayNumber: dayNumbers.lowerBound)?.description ?? "",
            last: today.description)
    }
}
