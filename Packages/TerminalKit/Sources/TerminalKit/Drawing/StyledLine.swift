// SPDX-License-Identifier: MIT

/// A line of terminal output that is being built: colour codes only where the colour changes, no colour left on at the
/// end, no blanks at the end.
public struct StyledLine: Sendable {
    /// The characters of the line, without colour codes.
    public private(set) var count = 0
    private let theme: Theme
    private var text = ""
    private var role = ColorRole.plain
    private var blanks = 0

    /// Starts an empty line.
    public init(theme: Theme) { self.theme = theme }

    /// Puts a character at the end.
    public mutating func append(_ character: Character, _ role: ColorRole) {
        count += 1
        if character == " " {
            blanks += 1
            return
        }
        if role != self.role || blanks > 0 && role == .marker {
            if isStyled { text += theme.reset }
            text += String(repeating: " ", count: blanks)
            text += theme.start(role)
        } else {
            text += String(repeating: " ", count: blanks)
        }
        blanks = 0
        self.role = role
        text.append(character)
    }

    /// Puts a piece of text at the end.
    public mutating func append(_ piece: String, _ role: ColorRole) {
        for character in piece { append(character, role) }
    }

    /// The line, without a line feed.
    public func finished() -> String { isStyled ? text + theme.reset : text }

    private var isStyled: Bool { !theme.start(role).isEmpty }
}
