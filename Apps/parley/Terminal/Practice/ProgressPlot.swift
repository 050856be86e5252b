// SPDX-License-Identifier: MIT

import Domain

/// Practice over days as bars of characters.
struct ProgressPlot: Sendable {
    /// The rows of characters of a plot.
    static let height = 5

    let progress: PracticeProgress
    /// The last day.
    let today: CalendarDate
    /// The number of days, the last of them today.
    let days: Int
    let usesUnicode: Bool

    /// Two plots, of the number and of the quality of readings, with an axis of days below each.
    var lines: [String] {
        let byDay = Dictionary(progress.days.map { ($0.date.dayNumber, $0) }) { first, _ in first }
        let numbers = (today.dayNumber - days + 1)...today.dayNumber
        let counts = numbers.map { Double(byDay[$0]?.count ?? 0) }
        let highest = max(counts.max() ?? 0, 1)
        let shares = numbers.map { byDay[$0]?.accuracy }
        var lines = ["  practised a day"] + rows(counts.map { $0 / highest }, top: "\(Int(highest))") + axis
        if shares.contains(where: { $0 != nil }) {
            lines += ["", "  words right"] + rows(shares.map { $0 ?? 0 }, top: "100%") + axis
        }
        return lines
    }

    private func rows(_ shares: [Double], top: String) -> [String] {
        (0..<Self.height).map { row in
            let label = row == 0 ? top : row == Self.height - 1 ? "0" : ""
            let bars = shares.map { bar(min(max($0, 0), 1), row: Self.height - 1 - row) }
            return Self.padded(label) + (usesUnicode ? " ┤" : " |") + String(bars)
        }
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
        String(repeating: " ", count: max(0, 6 - label.count)) + label
    }
}
