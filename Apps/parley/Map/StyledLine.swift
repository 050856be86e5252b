// SPDX-License-Identifier: MIT

/// A line of terminal output that is being built: colour codes only where the colour changes, no colour left on at the
/// end, no blanks at the end.
struct StyledLine {
    /// The meaning of a piece of the map, which decides its look.
    enum Style: String {
        /// The terminal's own colour.
        case plain = ""
        /// Outlines of states that were not asked for: grey, legible on dark and on light.
        case land = "38;5;244"
        /// A state that was asked for: orange.
        case marked = "38;5;208"
        /// The marker in it: white on red.
        case marker = "1;38;5;231;48;5;160"
        /// Its name below the map.
        case name = "1"
    }

    /// The characters of the line, without colour codes.
    private(set) var count = 0
    private let usesColor: Bool
    private var text = ""
    private var style = Style.plain
    private var blanks = 0

    /// Starts an empty line.
    init(usesColor: Bool) {
        self.usesColor = usesColor
    }

    /// Puts a character at the end.
    mutating func append(_ character: Character, _ style: Style) {
        count += 1
        if character == " " {
            blanks += 1
            return
        }
        if usesColor, style != self.style || blanks > 0 && style == .marker {
            if self.style != .plain { text += "\u{1B}[0m" }
            text += String(repeating: " ", count: blanks)
            if style != .plain { text += "\u{1B}[\(style.rawValue)m" }
        } else {
            text += String(repeating: " ", count: blanks)
        }
        blanks = 0
        self.style = style
        text.append(character)
    }

    /// Puts a piece of text at the end.
    mutating func append(_ piece: String, _ style: Style) {
        for character in piece { append(character, style) }
    }

    /// The line, without a line feed.
    func finished() -> String {
        usesColor && style != .plain ? text + "\u{1B}[0m" : text
    }
}
