// SPDX-License-Identifier: MIT

extension QRCode {
    /// The colours of a terminal.
    public enum Terminal: Sendable, CaseIterable {
        /// Light text on a dark background.
        case dark
        /// Dark text on a light background.
        case light
    }

    /// The width of the light border in modules that readers need (ISO/IEC 18004 §5.3.8).
    public static let quietZone = 4

    /// The code with its border in block characters (U+2580, U+2584, U+2588 and spaces): a line shows two rows, a
    /// character is about as high as it is wide in such a line.
    ///
    /// - Parameter terminal: The wrong one gives an inverted code, which not every reader reads.
    /// - Returns: Lines of equal length: the code's width and twice ``quietZone`` characters.
    public func lines(for terminal: Terminal) -> [String] {
        let width = rows.count + 2 * Self.quietZone
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - Self.quietZone, column - Self.quietZone)
            return rows.indices.contains(row) && rows.indices.contains(column) && rows[row][column]
        }
        return stride(from: 0, to: width, by: 2).map { row in
            String(
                (0..<width).map { column -> Character in
                    // Text is drawn where the terminal's background is not what the module should be.
                    let isDrawn = terminal == .light
                    switch (isDark(row, column) == isDrawn, isDark(row + 1, column) == isDrawn) {
                    case (true, true): return "█"
                    case (true, false): return "▀"
                    case (false, true): return "▄"
                    case (false, false): return " "
                    }
                })
        }
    }
}
