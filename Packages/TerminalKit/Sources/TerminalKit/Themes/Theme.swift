// SPDX-License-Identifier: MIT

/// The looks of all roles for a terminal: colours that it can show, and glyphs that it has.
public struct Theme: Sendable, Equatable {
    /// The themes that a person can choose.
    public enum Name: String, Sendable, CaseIterable {
        /// The terminal's own palette, which its user has chosen.
        case auto
        /// Colours for light backgrounds, each with a contrast of 4.5:1 at least.
        case light
        /// Colours for dark backgrounds, each with a contrast of 4.5:1 at least.
        case dark
        /// Each colour on a background of its own, with a contrast of 7:1 at least on any terminal.
        case highContrast = "high-contrast"
        /// No colour and no weight.
        case plain
    }

    /// The name.
    public let name: Name
    /// The colours that are written.
    public let depth: ColorDepth
    /// The signs that are written.
    public let glyphs: Glyphs

    /// Makes a theme for a terminal.
    ///
    /// - Parameter depth: The colours that the terminal can show.
    public init(_ name: Name, depth: ColorDepth, glyphs: Glyphs) {
        (self.name, self.glyphs) = (name, glyphs)
        self.depth = name == .plain ? .none : depth
    }

    /// No colour: for a file or a pipe.
    public static func plain(_ glyphs: Glyphs = Glyphs(hasUnicode: true)) -> Theme {
        Theme(.plain, depth: .none, glyphs: glyphs)
    }

    /// True if escape sequences for colours and weights are written.
    public var hasColors: Bool { depth != .none }

    /// The text in the look of a role.
    public func styled(_ text: String, _ role: ColorRole) -> String {
        let start = start(role)
        return start.isEmpty ? text : start + text + reset
    }

    /// The colours of a role where they are not those of the text around it, for pictures and pages; a theme that leaves them to the
    /// terminal has none.
    public func colors(of role: ColorRole) -> (text: RGBColor?, ground: RGBColor?) {
        let look = look(of: role)
        return (look.foreground?.color, look.background?.color)
    }

    /// The sequence that turns the look of a role on where no other one is on; empty if it has none.
    func start(_ role: ColorRole) -> String { Self.sequence(look(of: role).parameters(depth)) }

    /// The sequence that turns the look of a style on where no other one is on.
    func start(_ style: TextStyle) -> String {
        let muted = style.contains(.dim) ? look(of: .muted) : Look()
        let code = style.contains(.code) ? look(of: .code) : Look()
        let look = Look(
            weight: style.subtracting([.dim, .code]).union(muted.weight).union(code.weight),
            foreground: code.foreground ?? muted.foreground, background: code.background ?? muted.background)
        return Self.sequence(look.parameters(depth))
    }

    /// The sequence that turns every look off; empty without colours.
    var reset: String { hasColors ? Self.sequence(["0"]) : "" }

    private static func sequence(_ parameters: [String]) -> String {
        parameters.isEmpty ? "" : "\u{1B}[\(parameters.joined(separator: ";"))m"
    }
}
