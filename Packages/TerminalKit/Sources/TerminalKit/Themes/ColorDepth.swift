// SPDX-License-Identifier: MIT

/// The colours that a terminal can show.
public enum ColorDepth: Int, Sendable, Comparable, CaseIterable {
    /// No colour and no weight: no escape sequence at all.
    case none
    /// The 16 colours of the terminal's own palette (ECMA-48 §8.3.117, with aixterm's bright ones).
    case ansi16
    /// xterm's 256 colours.
    case ansi256
    /// 24 bits a colour (ISO 8613-6).
    case trueColor

    /// The colours that the environment allows.
    ///
    /// `NO_COLOR` (no-color.org) precedes `CLICOLOR_FORCE` (bixense.com/clicolors), which allows colours where no person
    /// reads; `TERM=dumb` precedes both.
    ///
    /// - Parameter isTerminal: True if a terminal shows the text.
    public init(environment: [String: String], isTerminal: Bool) {
        func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
        let terminal = environment["TERM"] ?? ""
        let isForced = has("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0"
        if terminal == "dumb" || has("NO_COLOR") || !(isTerminal || isForced) {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || terminal.hasSuffix("-direct") {
            self = .trueColor
        } else {
            self = terminal.contains("256color") ? .ansi256 : .ansi16
        }
    }

    /// Compares the number of colours.
    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}
