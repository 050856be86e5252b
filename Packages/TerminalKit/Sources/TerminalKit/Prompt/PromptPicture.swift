// SPDX-License-Identifier: MIT

/// The rows of a text that is being edited, and the place of the cursor.
public struct PromptPicture: Equatable, Sendable {
    /// The rows, each within the width.
    public let rows: [String]
    /// The row of the cursor, counted from the first shown row.
    public let cursorRow: Int
    /// The column of the cursor, from 0.
    public let cursorColumn: Int

    /// Lays out a text.
    ///
    /// - Parameters:
    ///   - prompt: The text before the first line; the other lines are indented by its width.
    ///   - width: The terminal's columns.
    ///   - height: The greatest number of rows; the rows around the cursor are shown.
    public init(prompt: String, text: [Character], cursor: Int, width: Int, height: Int) {
        let width = max(4, width)
        let indent = min(prompt.columns, width / 2)
        var rows = [indent == prompt.columns ? prompt : ""]
        var column = indent
        var place = (row: 0, column: column)
        for (index, character) in text.enumerated() {
            if index == cursor { place = (rows.count - 1, column) }
            if character == "\n" {
                rows.append(String(repeating: " ", count: indent))
                column = indent
                continue
            }
            let shown = character == "\t" ? " " : ForeignText.shown(String(character))
            let columns = min(2, shown.columns)
            if column + columns > width - 1 {
                rows.append("")
                column = 0
                if index == cursor { place = (rows.count - 1, 0) }
            }
            rows[rows.count - 1] += shown
            column += columns
        }
        if cursor >= text.count { place = (rows.count - 1, column) }
        let height = max(1, height)
        let first = min(max(0, place.row - height + 1), max(0, rows.count - height))
        self.rows = Array(rows[first..<min(rows.count, first + height)])
        cursorRow = place.row - first
        cursorColumn = place.column
    }

    /// The bytes that show it in place of another picture, from wherever that left the cursor.
    public func drawn(over before: PromptPicture?) -> String {
        var output = PromptPicture.cleared(before)
        output += rows.joined(separator: "\n")
        let up = rows.count - 1 - cursorRow
        return output + ControlSequence.up(up) + "\r" + ControlSequence.right(cursorColumn)
    }

    /// The bytes that remove a picture.
    public static func cleared(_ picture: PromptPicture?) -> String {
        picture.map { ControlSequence.clear(rowsAbove: $0.cursorRow) } ?? ""
    }

    /// The bytes that put the cursor behind the picture, on a line of its own.
    public var left: String {
        let down = rows.count - 1 - cursorRow
        return ControlSequence.down(down) + "\r\n"
    }
}
