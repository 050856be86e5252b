// SPDX-License-Identifier: MIT

/// The abilities of a terminal beyond plain ASCII, and the looks that a person has chosen.
public struct TerminalTraits: Sendable, Equatable {
    /// The colours that it can show.
    public let colorDepth: ColorDepth
    /// Unicode: when the locale is UTF-8 (POSIX: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is not empty).
    public let hasUnicode: Bool
    /// True if a line that was written may be written anew. False for `TERM=dumb`, and for a person to whom a program reads
    /// the screen: each event is then a line of its own.
    public let canRedraw: Bool
    /// The chosen theme.
    public private(set) var themeName: Theme.Name

    /// Reads the environment.
    ///
    /// - Parameters:
    ///   - isTerminal: True if a terminal shows the text.
    ///   - themeName: The theme that the person has chosen.
    ///   - isStatic: True if nothing may be written anew.
    public init(
        environment: [String: String], isTerminal: Bool, themeName: Theme.Name = .auto, isStatic: Bool = false
    ) {
        colorDepth = ColorDepth(environment: environment, isTerminal: isTerminal)
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        hasUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
        canRedraw = !isStatic && environment["TERM"] != "dumb"
        self.themeName = themeName
    }

    /// The same terminal with another theme.
    public func themed(_ name: Theme.Name) -> TerminalTraits {
        var traits = self
        traits.themeName = name
        return traits
    }

    /// The looks for this terminal.
    public var theme: Theme { Theme(themeName, depth: colorDepth, glyphs: glyphs) }

    /// The signs for this terminal.
    public var glyphs: Glyphs { Glyphs(hasUnicode: hasUnicode) }

    /// True if colours are written: the terminal has some, and the theme uses them.
    public var hasColors: Bool { theme.hasColors }
}
