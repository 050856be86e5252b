// SPDX-License-Identifier: MIT

import Domain

/// A value for each of some days as bars of characters.
struct DayPlot: Sendable {
    /// The rows of characters of a plot.
    static let height = 5
    /// The columns beside the bars.
    static let margin = 8

    /// The last day.
    let today: CalendarDate
    /// The number of days, the last of them today.
    let days: Int
    let usesUnicode: Bool

    /// The numbers of the days.
    var dayNumbers: ClosedRange<Int> { (today.dayNumber - days + 1)...today.dayNumber }

    /// A plot with an axis of days below it.
    ///
    /// - Parameters:
    ///   - shares: A share of `top` for each day, from 0 to 1.
    ///   - top: The label of the highest row.
    func lines(_ title: String, _ shares: [Double], top: String) -> [String] {
        let rows = (0..<Self.height).map { row in
            let label = row == 0 ? top : row == Self.height - 1 ? "0" : ""
            let bars = shares.map { bar(min(max($0, 0), 1), row: Self.height - 1 - row) }
            return Self.padded(label) + (usesUnicode ? " ┤" : " |") + String(bars)
        }
        return ["  " + title] + rows + axis
    }

    /// The part of a bar in one row; row 0 is the lowest. Any share above zero shows.
    private func bar(_ share: Double, row: Int) -> Character {
        let eighths = share > 0 ? max(1, Int((share * Double(Self.height * 8)).rounded())) : 0
        let filled = min(max(eighths - row * 8, 0), 8)
        guard usesUnicode else { return filled >= 4 || (row == 0 && filled > 0) ? "#" : " " }
        return Array(" ▁▂▃▄▅▆▇█")[filled]
    }

    private var axis: [String] {
        let line =
            Self.padded("") + (usesUnicode ? " └" : " +") + String(repeating: usesUnicode ? "─" : "-", count: days)
        let first = CalendarDate(dayNumber: today.dayNumber - days + 1)?.description ?? ""
        let last = today.description
        let gap = days - first.count - last.count
        let labels = gap >= 1 ? first + String(repeating: " ", count: gap) + last : last
        return [line, Self.padded("") + "  " + labels]
    }

    private static func padded(_ label: String) -> String {
        String(repeating: " ", count: max(0, margin - 2 - label.count)) + label
    }
}
