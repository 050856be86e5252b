// SPDX-License-Identifier: MIT

/// Sequences that drive a terminal (ECMA-48 §8.3; xterm's bracketed paste). Only for a terminal whose
/// ``TerminalTraits/canRedraw`` is true.
public enum ControlSequence {
    /// Goes to the beginning of the line and deletes it.
    public static let clearLine = "\r\u{1B}[K"
    /// Deletes the screen and goes to its upper left corner.
    public static let clearScreen = "\u{1B}[2J\u{1B}[H"
    /// Makes the terminal mark what is pasted.
    public static let pasteOn = "\u{1B}[?2004h"
    /// Ends the marks of ``pasteOn``.
    public static let pasteOff = "\u{1B}[?2004l"

    /// Shows a text in place of the line, cut to a width.
    ///
    /// - Parameter columns: The columns of the terminal; the last one stays free, so that the line is not broken.
    public static func replacingLine(with text: String, columns: Int) -> String {
        // The rest of a longer earlier text is deleted afterwards, so that nothing flickers.
        "\r\(text.printable.cut(to: columns - 1))\u{1B}[K"
    }

    /// Goes up, and to the beginning of the line, and deletes all below.
    static func clear(rowsAbove: Int) -> String { up(rowsAbove) + "\r\u{1B}[J" }

    static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
    static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
    static func right(_ columns: Int) -> String { columns > 0 ? "\u{1B}[\(columns)C" : "" }
}
