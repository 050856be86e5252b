// SPDX-License-Identifier: MIT

/// Stretches of time below each other, as bars on one scale, with their lengths.
public struct Waterfall: Sendable {
    /// A stretch of time.
    public struct Row: Sendable {
        let name: String
        let from: Double
        let to: Double

        /// A stretch of time.
        ///
        /// - Parameters:
        ///   - name: The label, with spaces before it for its depth.
        ///   - from: The start in milliseconds; the scale begins at 0.
        ///   - to: The end in milliseconds.
        public init(_ name: String, from: Double, to: Double) {
            (self.name, self.from, self.to) = (name, max(0, from), max(0, from, to))
        }
    }

    private static let narrowest = 8

    private let rows: [Row]
    private let glyphs: Glyphs

    /// Makes a waterfall.
    public init(_ rows: [Row], glyphs: Glyphs) { (self.rows, self.glyphs) = (rows, glyphs) }

    /// The lines, without spaces at the end: name, bar, milliseconds. Where there is no room for bars, they are left out, and then
    /// names are cut.
    ///
    /// - Parameter width: The columns of a line.
    public func lines(width: Int) -> [String] {
        let numbers = rows.map { Self.text($0.to - $0.from) }
        let numberWidth = numbers.map(\.columns).max() ?? 0
        let longest = rows.map(\.name.columns).max() ?? 0
        let room = width - longest - numberWidth - 2 * glyphs.gap.columns
        let hasBars = room >= Self.narrowest
        let nameWidth = hasBars ? longest : max(1, min(longest, width - numberWidth - glyphs.gap.columns))
        let scale = rows.map(\.to).max() ?? 0
        return zip(rows, numbers).map { row, number in
            let name = row.name.fitted(to: nameWidth, glyphs: glyphs)
            let bar = hasBars ? glyphs.gap + bar(row, room, scale) : ""
            return name + bar + glyphs.gap + number.fitted(to: numberWidth, alignsRight: true, glyphs: glyphs)
        }
    }

    /// A bar of at least one sign.
    private func bar(_ row: Row, _ room: Int, _ scale: Double) -> String {
        func column(_ time: Double) -> Int { scale > 0 ? Int((time / scale * Double(room)).rounded()) : 0 }
        let start = min(column(row.from), room - 1)
        let end = max(column(row.to), start + 1)
        return String(repeating: " ", count: start) + String(repeating: glyphs.filled, count: end - start)
            + String(repeating: " ", count: room - end)
    }

    private static func text(_ milliseconds: Double) -> String {
        let tenths = Int((min(milliseconds, 1e12) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
