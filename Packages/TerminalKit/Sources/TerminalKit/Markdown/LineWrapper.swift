// SPDX-License-Identifier: MIT

/// Puts styled text into lines of a width, between words and between wide characters; a word that is too long is
/// broken.
///
/// Pure: the text to write collects in ``output``. A word is added when it is complete, so nothing has to be taken
/// back.
struct LineWrapper: Sendable {
    /// The text to write.
    private(set) var output = ""
    /// True if the last thing written was a line feed, or nothing.
    private(set) var isAtStart = true

    /// The greatest length of a word in scalars, whatever their width.
    private static let longestWord = 1000

    private var width: Int
    private var column = 0
    private var word: [StyledScalar] = []
    private var wordWidth = 0
    private var spaces = 0
    private var spaceStyle: TextStyle = []
    private var hang = ""
    private var active: TextStyle = []
    private var counter = ColumnCounter()
    private let theme: Theme

    /// - Parameter width: The columns of a line, at least 8.
    init(width: Int, theme: Theme) {
        self.width = max(8, width)
        self.theme = theme
    }

    /// Returns the text to write and removes it from ``output``.
    mutating func drain() -> String {
        defer { output = "" }
        return output
    }

    /// Breaks lines at another width from now on.
    mutating func resize(width: Int) { self.width = max(8, width) }

    /// Begins a line with a prefix; its continuation lines begin with another prefix of the same width.
    mutating func begin(prefix: String, hang: String) {
        self.hang = hang
        write(prefix, .dim)
        column = prefix.columns
    }

    /// Adds a scalar to the line.
    mutating func put(_ scalar: Unicode.Scalar, _ style: TextStyle) {
        if scalar == " " || scalar == "\t" {
            flush()
            spaces += 1
            spaceStyle = style
            return
        }
        let columns = counter.add(scalar)
        let styled = StyledScalar(scalar: scalar, style: style)
        if columns == 2 || (columns == 0 && word.isEmpty) {
            flush()
            word = [styled]
            wordWidth = columns
            flush()
        } else {
            word.append(styled)
            wordWidth += columns
            if wordWidth >= width - hang.columns || word.count >= Self.longestWord { flush() }
        }
    }

    /// Ends the line.
    mutating func endLine() {
        flush()
        newLine()
        (column, spaces, hang) = (0, 0, "")
    }

    /// Writes a line as it is, whatever its width.
    mutating func verbatim(_ text: String, _ style: TextStyle) {
        write(text, style)
        newLine()
    }

    /// Writes a styled line as it is, without trailing spaces.
    mutating func verbatim(_ row: [StyledScalar]) {
        for styled in row.reversed().drop(while: { $0.scalar == " " }).reversed() { write(styled.scalar, styled.style) }
        newLine()
    }

    /// Writes code as it is; the terminal breaks its lines.
    mutating func put(code: [Unicode.Scalar]) {
        for scalar in code { write(scalar, .code) }
    }

    /// Ends a line of code.
    mutating func endCodeLine() { newLine() }

    /// Writes the received part of a word.
    mutating func flush() {
        guard !word.isEmpty else { return }
        if column + spaces + wordWidth > width {
            if column > hang.columns { breakLine() } else { spaces = 0 }
        }
        writeSpaces()
        for styled in word { write(styled.scalar, styled.style) }
        column += wordWidth
        (word, wordWidth) = ([], 0)
    }

    private mutating func writeSpaces() {
        if spaces > 0 {
            setStyle(spaceStyle)
            output += String(repeating: " ", count: spaces)
            column += spaces
        }
        spaces = 0
    }

    private mutating func breakLine() {
        newLine()
        spaces = 0
        write(hang, .dim)
        column = hang.columns
    }

    private mutating func newLine() {
        setStyle([])
        output += "\n"
        isAtStart = true
    }

    private mutating func write(_ text: String, _ style: TextStyle) {
        guard !text.isEmpty else { return }
        setStyle(text.contains { $0 != " " } ? style : [])
        output += text
        isAtStart = false
    }

    private mutating func write(_ scalar: Unicode.Scalar, _ style: TextStyle) {
        setStyle(style)
        output.unicodeScalars.append(scalar)
        isAtStart = false
    }

    private mutating func setStyle(_ style: TextStyle) {
        guard style != active else { return }
        if !active.isEmpty { output += theme.reset }
        output += theme.start(style)
        active = style
    }
}
