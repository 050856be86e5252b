// SPDX-License-Identifier: MIT

extension Theme {
    /// The look of a role.
    func look(of role: ColorRole) -> Look {
        switch name {
        case .auto, .plain: Self.auto(role)
        case .light: Self.light(role)
        case .dark: Self.dark(role)
        case .highContrast: Self.highContrast(role)
        }
    }

    /// The backgrounds that the colours of a theme are chosen for; empty for a theme that takes the terminal's colours,
    /// or has backgrounds of its own.
    public static func backgrounds(of name: Name) -> [RGBColor] {
        switch name {
        case .light: [RGBColor(0xFFFFFF), RGBColor(0xFDF6E3), RGBColor(0xF0F0F0)]
        case .dark: [RGBColor(0x000000), RGBColor(0x1E1E1E), RGBColor(0x002B36), RGBColor(0x282C34)]
        case .auto, .highContrast, .plain: []
        }
    }

    private static func auto(_ role: ColorRole) -> Look {
        switch role {
        case .plain: Look()
        case .strong: Look(weight: .bold)
        case .muted: Look(weight: .dim)
        case .success: Look(foreground: .palette(2))
        case .warning: Look(foreground: .palette(3))
        case .failure: Look(foreground: .palette(1))
        case .accent, .code: Look(foreground: .palette(6))
        // A grey and an orange that are legible on dark and on light.
        case .land: Look(foreground: .indexed(244, palette: 8))
        case .marked: Look(foreground: .indexed(208, palette: 3))
        case .marker:
            Look(weight: .bold, foreground: .indexed(231, palette: 15), background: .indexed(160, palette: 1))
        }
    }

    private static func light(_ role: ColorRole) -> Look {
        switch role {
        case .plain, .strong: auto(role)
        case .muted: colored(0x5A5A5A, 8)
        case .success: colored(0x116329, 2)
        case .warning: colored(0x7A4D00, 3)
        case .failure: colored(0xA40E26, 1)
        case .accent: colored(0x0550AE, 4)
        case .code: colored(0x6639BA, 5)
        case .land: colored(0x6A6A6A, 8)
        case .marked: colored(0x953800, 1)
        case .marker: colored(0xFFFFFF, 15, on: 0xA40E26, 1, .bold)
        }
    }

    private static func dark(_ role: ColorRole) -> Look {
        switch role {
        case .plain, .strong: auto(role)
        case .muted: colored(0xB0B0B0, 7)
        case .success: colored(0x7EE787, 10)
        case .warning: colored(0xE3B341, 11)
        case .failure: colored(0xFF9B93, 9)
        case .accent: colored(0x79C0FF, 14)
        case .code: colored(0xD2A8FF, 13)
        case .land: colored(0x9E9E9E, 7)
        case .marked: colored(0xFFA657, 11)
        case .marker: colored(0xFFFFFF, 15, on: 0xA40E26, 1, .bold)
        }
    }

    private static func highContrast(_ role: ColorRole) -> Look {
        switch role {
        // The terminal's own pair of colours is the strongest that its user has chosen; nothing is faint.
        case .plain, .muted, .land: Look()
        case .strong: Look(weight: .bold)
        case .success: colored(0xFFFFFF, 15, on: 0x004000, 0)
        case .warning: colored(0x000000, 0, on: 0xFFD700, 15, .bold)
        case .failure: colored(0xFFFFFF, 15, on: 0x8B0000, 0, .bold)
        case .accent: colored(0xFFFFFF, 15, on: 0x00008B, 0)
        case .code: colored(0xFFFFFF, 15, on: 0x303030, 0)
        case .marked: colored(0xFFFFFF, 15, on: 0x00008B, 0, .bold)
        case .marker: colored(0x000000, 0, on: 0xFFD700, 15, .bold)
        }
    }

    private static func colored(_ hex: UInt32, _ palette: UInt8) -> Look {
        Look(foreground: .rgb(RGBColor(hex), palette: palette))
    }

    private static func colored(
        _ hex: UInt32, _ palette: UInt8, on background: UInt32, _ backgroundPalette: UInt8, _ weight: TextStyle = []
    ) -> Look {
        Look(
            weight: weight, foreground: .rgb(RGBColor(hex), palette: palette),
            background: .rgb(RGBColor(background), palette: backgroundPalette))
    }
}
