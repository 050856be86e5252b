// SPDX-License-Identifier: MIT

/// Shares as upright bars of characters, with an axis below.
public struct BarPlot: Sendable {
    /// The rows of characters of a plot, without its title and its axis.
    public static let height = 5
    /// The columns beside the bars.
    public static let margin = 8

    private let glyphs: Glyphs

    /// Makes a plot.
    public init(glyphs: Glyphs) { self.glyphs = glyphs }

    /// The lines of a plot: a title, the bars, the axis, its labels.
    ///
    /// - Parameters:
    ///   - shares: A share of `top` for each bar, from 0 to 1; one column a bar. Any share above zero shows.
    ///   - top: The label of the highest row, at most ``margin`` - 2 columns.
    ///   - first: The label of the first bar, left out where there is no room.
    ///   - last: The label of the last bar.
    public func lines(_ title: String, _ shares: [Double], top: String, first: String, last: String) -> [String] {
        let rows = (0..<Self.height).map { row in
            let label = row == 0 ? top : row == Self.height - 1 ? "0" : ""
            let bars = shares.map { bar(min(max($0, 0), 1), row: Self.height - 1 - row) }
            return Self.padded(label) + " \(glyphs.tick)" + String(bars)
        }
        return ["  " + title] + rows + axis(shares.count, first, last)
    }

    /// The part of a bar in one row; row 0 is the lowest.
    private func bar(_ share: Double, row: Int) -> Character {
        let eighths = share > 0 ? max(1, Int((share * Double(Self.height * 8)).rounded())) : 0
        let filled = min(max(eighths - row * 8, 0), 8)
        guard glyphs.hasUnicode else { return filled >= 4 || (row == 0 && filled > 0) ? glyphs.filled : " " }
        return Array(" ▁▂▃▄▅▆▇█")[filled]
    }

    private func axis(_ count: Int, _ first: String, _ last: String) -> [String] {
        let line = Self.padded("") + " \(glyphs.corner)" + String(repeating: glyphs.horizontal, count: count)
        let gap = count - first.columns - last.columns
        let labels = gap >= 1 ? first + String(repeating: " ", count: gap) + last : last
        return [line, Self.padded("") + "  " + labels]
    }

    private static func padded(_ label: String) -> String {
        String(repeating: " ", count: max(0, margin - 2 - label.columns)) + label
    }
}
