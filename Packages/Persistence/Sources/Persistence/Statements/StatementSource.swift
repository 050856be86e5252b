// SPDX-License-Identifier: MIT

/// Where a statement's text comes from: a literal of the program, which is told by its address, or one with values in it.
enum StatementSource: Sendable, Equatable {
    case literal(StaticString)
    case text(String)

    var text: String {
        switch self {
        case .literal(let literal): literal.description
        case .text(let text): text
        }
    }

    static func == (one: StatementSource, other: StatementSource) -> Bool { one.text == other.text }
}
