// SPDX-License-Identifier: MIT

/// The source of a statement's text: literals of the program, identified by their addresses, or a text made of parts.
@usableFromInline
struct StatementSource: Sendable, Equatable {
    /// The literals, while `made` is nil.
    private(set) var pieces = SQLPieces()
    /// The text, if pieces cannot hold it.
    private(set) var made: String?

    var text: String { made ?? pieces.text }

    init() {}

    /// A literal without values.
    init(_ literal: StaticString) {
        append(literal)
    }

    init(text: String) {
        made = text
    }

    mutating func append(_ literal: StaticString) {
        if made != nil || !pieces.append(literal) { append(text: literal.description) }
    }

    mutating func appendValue() {
        if made != nil || !pieces.appendValue() { append(text: "?") }
    }

    mutating func append(text more: String) {
        made = text + more
    }

    @usableFromInline
    static func == (one: StatementSource, other: StatementSource) -> Bool { one.text == other.text }
}
