// SPDX-License-Identifier: MIT

/// The style of a piece of text on a terminal.
struct TextStyle: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = TextStyle(rawValue: 1)
    static let dim = TextStyle(rawValue: 2)
    static let italic = TextStyle(rawValue: 4)
    static let underlined = TextStyle(rawValue: 8)
    static let struck = TextStyle(rawValue: 16)
    static let code = TextStyle(rawValue: 32)

    /// The sequence that turns the style on when none is on (Select Graphic Rendition, ECMA-48 §8.3.117).
    var sequence: String {
        let parameters: [(TextStyle, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"), (.code, "36"),
        ]
        let on = parameters.filter { contains($0.0) }.map(\.1)
        return on.isEmpty ? "" : "\u{1B}[\(on.joined(separator: ";"))m"
    }

    /// The sequence that turns every style off.
    static let reset = "\u{1B}[0m"
}

/// A scalar with its style.
struct StyledScalar: Equatable, Sendable {
    let scalar: Unicode.Scalar
    let style: TextStyle
}
