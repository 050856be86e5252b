// SPDX-License-Identifier: MIT

/// Where a statement's text comes from: literals of the program, which are told by their addresses, or made up of parts.
@usableFromInline
struct StatementSource: Sendable, Equatable {
    /// The literals, while there is no `made`.
    private(set) var pieces = SQLPieces()
    /// The text, where it is more than pieces can say.
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
