// SPDX-License-Identifier: MIT

/// Emphasis, code, links and escapes within a line, found while the line is still coming (CommonMark 0.31 §6, without
/// reference links and HTML, which stay as they are).
///
/// A delimiter's meaning is decided by at most ``window`` scalars from it on, and never by how the text is cut into pieces:
/// where too little has come, nothing is given out yet.
struct InlineMarkdown: Sendable {
    /// The longest distance of a delimiter's other half.
    static let window = 400

    private var waiting: [Unicode.Scalar] = []
    private var previous: Unicode.Scalar?
    private let style: TextStyle

    /// A line whose whole text is in this style.
    init(style: TextStyle = []) { self.style = style }

    /// Takes the next scalar; returns the scalars whose style is decided.
    mutating func put(_ scalar: Unicode.Scalar) -> [StyledScalar] {
        waiting.append(scalar)
        return advance(isEnd: false)
    }

    /// Ends the line and returns the rest of it.
    mutating func end() -> [StyledScalar] { advance(isEnd: true) }

    /// Styles a complete text.
    static func styled(_ text: some Sequence<Unicode.Scalar>, _ style: TextStyle = []) -> [StyledScalar] {
        var inline = InlineMarkdown(style: style)
        inline.waiting = Array(text)
        return inline.end()
    }

    private mutating func advance(isEnd: Bool) -> [StyledScalar] {
        var result: [StyledScalar] = []
        var position = 0
        while position < waiting.count {
            let scan = InlineScan(
                text: waiting[position...].prefix(Self.window), isEnd: isEnd || waiting.count - position >= Self.window,
                previous: previous, style: style)
            guard case .take(let count, let styled) = scan.next() else { break }
            previous = waiting[position + count - 1]
            position += count
            result += styled
        }
        waiting.removeFirst(position)
        return result
    }
}
