// SPDX-License-Identifier: MIT

/// Rows whose cells stand below each other.
public struct TextTable: Sendable {
    private static let narrowest = 3

    private let rows: [[String]]
    private let right: Set<Int>
    private let gap: Int

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - rows: The texts of the cells, without styles; a shorter row ends with empty cells.
    ///   - right: The columns that are aligned at the right, with two spaces before them; those of numbers.
    ///   - gap: The spaces before another column, except the first one.
    public init(_ rows: [[String]], right: Set<Int> = [], gap: Int = 0) {
        let count = rows.map(\.count).max() ?? 0
        self.rows = rows.map { $0 + Array(repeating: "", count: count - $0.count) }
        self.right = right
        self.gap = max(0, gap)
    }

    /// The lines, without spaces at the end.
    ///
    /// - Parameters:
    ///   - width: The columns of a line. The widest columns that are aligned at the left are cut until a row fits, or each
    ///     has three columns. Nil cuts nothing.
    ///   - glyphs: The sign at the end of a cell that was cut.
    public func lines(width: Int? = nil, glyphs: Glyphs = Glyphs(hasUnicode: true)) -> [String] {
        let widths = widths(width)
        return rows.map { row in
            var line = row.enumerated().map { column, text in
                let cell = text.fitted(to: widths[column], alignsRight: right.contains(column), glyphs: glyphs)
                return String(repeating: " ", count: space(before: column)) + cell
            }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func space(before column: Int) -> Int { right.contains(column) ? 2 : column == 0 ? 0 : gap }

    private func widths(_ width: Int?) -> [Int] {
        var widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        guard let width else { return widths }
        var excess = widths.indices.reduce(-width) { $0 + widths[$1] + space(before: $1) }
        while excess > 0 {
            let widest = widths.indices.filter { !right.contains($0) }.max { widths[$0] < widths[$1] }
            guard let widest, widths[widest] > Self.narrowest else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
