// SPDX-License-Identifier: MIT

/// Where a statement's text comes from: literals of the program, which are told by their addresses, or made up of parts.
@usableFromInline
enum StatementSource: Sendable, Equatable {
    case pieces(SQLPieces)
    case text(String)

    var text: String {
        switch self {
        case .pieces(let pieces): pieces.text
        case .text(let text): text
        }
    }

    /// A literal without values.
    init(_ literal: StaticString) {
        self = SQLPieces(literal).map(StatementSource.pieces) ?? .text(literal.description)
    }

    @usableFromInline
    static func == (one: StatementSource, other: StatementSource) -> Bool { one.text == other.text }
}
