// SPDX-License-Identifier: MIT

/// The weight of a piece of text, and the parts of Markdown that a theme may give a colour.
public struct TextStyle: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a style from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Heavier than the text around it.
    public static let bold = TextStyle(rawValue: 1)
    /// Less important than the text around it; a theme shows it as ``ColorRole/muted``.
    public static let dim = TextStyle(rawValue: 2)
    /// Slanted.
    public static let italic = TextStyle(rawValue: 4)
    /// With a line below.
    public static let underlined = TextStyle(rawValue: 8)
    /// With a line through it.
    public static let struck = TextStyle(rawValue: 16)
    /// Code; a theme shows it as ``ColorRole/code``.
    public static let code = TextStyle(rawValue: 32)
}

/// A scalar with its style.
struct StyledScalar: Equatable, Sendable {
    let scalar: Unicode.Scalar
    let style: TextStyle
}
