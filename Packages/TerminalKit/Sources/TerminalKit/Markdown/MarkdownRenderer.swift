// SPDX-License-Identifier: MIT

/// Shows a model's Markdown on a terminal while it arrives: pieces of text in, text to write out.
///
/// Pure, and independent of how the text is cut into pieces. A word is written when it is complete; a delimiter is held
/// back until its other half has arrived or is too far (`InlineMarkdown.window`), a line of code until its end, a
/// table until its last row. Only this type's own output can drive the terminal (``ForeignText``). Line breaks stay where
/// the model put them.
public struct MarkdownRenderer: Sendable {
    private enum State: Sendable {
        case lineStart
        case text(InlineMarkdown)
        case code(fence: Unicode.Scalar, count: Int)
    }

    /// The longest beginning of a block, in scalars; what is undecided after it is text.
    private static let longestStart = 400
    /// The length above which a line of code is written in pieces.
    private static let longestCodeLine = 4_000

    private var width: Int
    private let glyphs: Glyphs
    private var state = State.lineStart
    private var line: [Unicode.Scalar] = []
    private var isHeld = false
    private var isCodeLineBegun = false
    private var table = MarkdownTable()
    private var wrapper: LineWrapper

    /// Starts an answer.
    ///
    /// - Parameters:
    ///   - width: The columns of a line.
    ///   - theme: The looks of emphasis, code and quotations.
    public init(width: Int, theme: Theme) {
        self.width = width
        glyphs = theme.glyphs
        wrapper = LineWrapper(width: width, theme: theme)
    }

    /// Goes on in lines of another width, also with a table whose last row has not arrived.
    public mutating func resize(width: Int) {
        self.width = width
        wrapper.resize(width: width)
    }

    /// Takes a piece of the answer.
    public mutating func feed(_ text: String) -> String {
        for scalar in text.unicodeScalars { take(scalar) }
        return wrapper.drain()
    }

    /// Ends the answer, whole or broken off: returns the rest, with a line feed at its end unless nothing was written.
    public mutating func finish() -> String {
        if isCodeLineBegun || !line.isEmpty { endLine() } else if case .text = state { endLine() }
        endTable()
        state = .lineStart
        if !wrapper.isAtStart { wrapper.endLine() }
        return wrapper.drain()
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        guard let scalar = ForeignText.shown(scalar) else { return }
        if scalar == "\n" { return endLine() }
        switch state {
        case .text(var inline):
            show(inline.put(scalar))
            state = .text(inline)
        case .code(let fence, _):
            line.append(scalar)
            if line.count >= Self.longestCodeLine, line.first != fence {
                wrapper.put(code: line)
                (line, isCodeLineBegun) = ([], true)
            }
        case .lineStart:
            line.append(scalar)
            if !isHeld { start(isWhole: false) } else if line.count > MarkdownTable.scalarLimit { beginPlain() }
        }
    }

    private mutating func endLine() {
        switch state {
        case .text(var inline):
            show(inline.end())
            wrapper.endLine()
            state = .lineStart
        case .code(let fence, let count):
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            if !isCodeLineBegun, words.count == 1, words[0].count >= count, words[0].allSatisfy({ $0 == fence }) {
                wrapper.verbatim(text(line), .dim)
                state = .lineStart
            } else {
                wrapper.put(code: line)
                wrapper.endCodeLine()
            }
            (line, isCodeLineBegun) = ([], false)
        case .lineStart: start(isWhole: true)
        }
    }

    /// Begins the line if its kind is known.
    private mutating func start(isWhole: Bool) {
        switch BlockStart(line, isWhole: isWhole, glyphs: glyphs) {
        case .undecided: if line.count > Self.longestStart { beginPlain() }
        case .text(let marker, let length): begin(marker, from: length, [], isWhole: isWhole)
        case .heading(let level, let marker, let length):
            begin(marker, from: length, level == 1 ? [.bold, .underlined] : .bold, isWhole: isWhole)
        case .wholeLine: if isWhole { endWholeLine() } else { isHeld = true }
        }
    }

    /// Begins the line as plain text.
    private mutating func beginPlain() { begin(LineMarker(glyphs: glyphs), from: 0, [], isWhole: false) }

    private mutating func begin(_ marker: LineMarker, from length: Int, _ style: TextStyle, isWhole: Bool) {
        endTable()
        wrapper.begin(prefix: marker.prefix, hang: marker.hang)
        var inline = InlineMarkdown(style: style)
        for scalar in line[length...] { show(inline.put(scalar)) }
        (line, isHeld) = ([], false)
        state = .text(inline)
        if isWhole { endLine() }
    }

    private mutating func endWholeLine() {
        let words = line.drop { $0 == " " || $0 == "\t" }
        guard let first = words.first else { return }
        if first == "|" {
            table.add(line)
            if table.isFull { show(lines: table.takeLines()) }
        } else if first == "`" || first == "~" {
            let count = words.prefix { $0 == first }.count
            // Backticks behind backticks are code within a line.
            if first == "`", words.dropFirst(count).contains("`") {
                return begin(LineMarker(glyphs: glyphs), from: 0, [], isWhole: true)
            }
            endTable()
            wrapper.verbatim(text(line), .dim)
            state = .code(fence: first, count: count)
        } else {
            endTable()
            wrapper.verbatim(String(repeating: glyphs.horizontal, count: min(width, 40)), .dim)
        }
        (line, isHeld) = ([], false)
    }

    private mutating func endTable() {
        let table = table
        self.table = MarkdownTable()
        guard let rows = table.layout(width: width, glyphs: glyphs) else { return show(lines: table.lines) }
        for row in rows { wrapper.verbatim(row) }
    }

    /// Writes lines of a table unchanged.
    private mutating func show(lines: [[Unicode.Scalar]]) {
        for line in lines {
            show(line.map { StyledScalar(scalar: $0, style: []) })
            wrapper.endLine()
        }
    }

    private mutating func show(_ scalars: [StyledScalar]) {
        for styled in scalars { wrapper.put(styled.scalar, styled.style) }
    }

    private func text(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }
}
