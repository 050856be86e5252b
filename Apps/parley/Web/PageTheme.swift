// SPDX-License-Identifier: MIT

import TerminalKit

/// The themes of TerminalKit as variables of CSS.
enum PageTheme {
    /// The sheet: the reader's light or dark, more contrast where it is wished, and the theme of `parley settings set theme`.
    static let sheet = """
        :root{color-scheme:light dark}
        :root,:root[data-theme=light]{\(variables(.light))}
        @media (prefers-color-scheme:dark){:root{\(variables(.dark))}}
        @media (prefers-contrast:more){:root{\(variables(.highContrast))}}
        :root[data-theme=light]{color-scheme:light;\(variables(.light))}
        :root[data-theme=dark]{color-scheme:dark;\(variables(.dark))}
        :root[data-theme=high-contrast]{color-scheme:dark;\(variables(.highContrast))}

        """

    /// The variables of a theme by their names, each with a contrast of 4.5:1 at least to all grounds, and 7:1 in high contrast.
    static func colors(_ name: Theme.Name) -> [(name: String, color: RGBColor)] {
        let theme = Theme(name, depth: .trueColor, glyphs: Glyphs(hasUnicode: true))
        let grounds = name == .highContrast ? [RGBColor(0)] : Theme.backgrounds(of: name)
        let ground = grounds[min(1, grounds.count - 1)]
        let paper = name == .light ? grounds[0] : ground
        let raised = grounds[grounds.count - 1]
        let text =
            [RGBColor(0x111111), RGBColor(0xFFFFFF)].max { $0.contrast(with: paper) < $1.contrast(with: paper) }
            ?? RGBColor(0)
        func color(_ role: ColorRole) -> RGBColor {
            let colors = theme.colors(of: role)
            return [colors.text, colors.ground].compactMap(\.self).max {
                $0.contrast(with: paper) < $1.contrast(with: paper)
            } ?? text
        }
        let accent = color(.accent)
        let onAccent = [RGBColor(0), RGBColor(0xFFFFFF)].max { $0.contrast(with: accent) < $1.contrast(with: accent) }
        return [
            ("ground", paper), ("ground-2", raised), ("ground-3", raised), ("text", text), ("muted", color(.muted)),
            ("accent", accent), ("success", color(.success)), ("warning", color(.warning)),
            ("failure", color(.failure)), ("code", color(.code)), ("line", color(.land)), ("accent-ground", accent),
            ("on-accent", onAccent ?? text),
        ]
    }

    private static func variables(_ name: Theme.Name) -> String {
        colors(name).map { "--\($0.name):\($0.color.hex)" }.joined(separator: ";")
    }
}

extension RGBColor {
    /// The colour as CSS writes it.
    fileprivate var hex: String {
        let digits = String(Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
