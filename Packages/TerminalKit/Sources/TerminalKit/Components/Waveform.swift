// SPDX-License-Identifier: MIT

/// A waveform of characters: for each column of dots the lowest and the highest sample.
public struct Waveform: Sendable {
    private let columns: [(lowest: Double, highest: Double)]
    private let glyphs: Glyphs

    /// Makes a picture.
    ///
    /// - Parameters:
    ///   - columns: The extremes of each column, from -1 to 1: two columns a character with Unicode, one without.
    ///   - glyphs: Braille patterns with Unicode, else number signs.
    public init(_ columns: [(lowest: Double, highest: Double)], glyphs: Glyphs) {
        (self.columns, self.glyphs) = (columns, glyphs)
    }

    /// The columns of dots in so many columns of a terminal.
    public static func dots(in columns: Int, glyphs: Glyphs) -> Int { columns * (glyphs.hasUnicode ? 2 : 1) }

    /// The rows of characters.
    public func lines(_ count: Int) -> [String] {
        guard glyphs.hasUnicode else { return ascii(count) }
        var canvas = DotCanvas(columns: (columns.count + 1) / 2, lines: count)
        let middle = Double(canvas.height) / 2
        for (x, column) in columns.enumerated() {
            let top = middle - min(1, column.highest) * (middle - 0.5) - 0.5
            let bottom = middle - max(-1, column.lowest) * (middle - 0.5) - 0.5
            canvas.line(from: CanvasPoint(x: Double(x), y: top), to: CanvasPoint(x: Double(x), y: bottom))
        }
        return (0..<count).map { line in
            String((0..<canvas.columns).map { DotCanvas.braille(canvas.cell(column: $0, line: line)) })
        }
    }

    private func ascii(_ count: Int) -> [String] {
        (0..<count).map { line in
            let level = abs(Double(line) - Double(count - 1) / 2) / (Double(count) / 2)
            return String(columns.map { max($0.highest, -$0.lowest) > level ? glyphs.filled : " " })
        }
    }
}
