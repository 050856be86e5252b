// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct ThemeTests {
    private static let exact: [ColorDepth] = [.ansi256, .trueColor]

    /// The colour that a terminal shows; nil for one of its own palette.
    private func shown(_ paint: Look.Paint?, _ depth: ColorDepth) -> RGBColor? {
        switch paint {
        case .rgb(let color, _): depth == .trueColor ? color : RGBColor(index: color.index)
        case .indexed(let index, _): RGBColor(index: index)
        case .palette, nil: nil
        }
    }

    private func theme(_ name: Theme.Name, _ depth: ColorDepth = .trueColor) -> Theme {
        Theme(name, depth: depth, glyphs: Glyphs(hasUnicode: true))
    }

    @Test func `contrast follows WCAG's formula`() {
        // The ratios that WebAIM's checker shows.
        for (first, second, ratio) in [
            (0x000000, 0xFFFFFF, 21.0), (0x777777, 0xFFFFFF, 4.48), (0x767676, 0xFFFFFF, 4.54),
            (0x0000FF, 0xFFFFFF, 8.59),
            (0x123456, 0x123456, 1),
        ] as [(UInt32, UInt32, Double)] {
            let contrast = RGBColor(first).contrast(with: RGBColor(second))
            #expect(abs(contrast - ratio) < 0.01, "\(contrast) instead of \(ratio)")
            #expect(contrast == RGBColor(second).contrast(with: RGBColor(first)))
        }
    }

    @Test(arguments: [Theme.Name.light, .dark], exact)
    func `each role stands out from each background`(_ name: Theme.Name, _ depth: ColorDepth) {
        let backgrounds = Theme.backgrounds(of: name)
        #expect(backgrounds.count >= 3)
        for role in ColorRole.allCases {
            let look = theme(name).look(of: role)
            guard let foreground = shown(look.foreground, depth) else {
                #expect(look.foreground == nil && look.background == nil, "\(role) takes a colour of the palette")
                continue
            }
            for background in shown(look.background, depth).map({ [$0] }) ?? backgrounds {
                let contrast = foreground.contrast(with: background)
                #expect(contrast >= 4.5, "\(name), \(role): \(contrast) on \(background)")
            }
            #expect(!look.weight.contains(.dim), "faint text has less contrast than its colour")
        }
    }

    @Test(arguments: exact)
    func `high contrast brings its backgrounds`(_ depth: ColorDepth) throws {
        for role in ColorRole.allCases {
            let look = theme(.highContrast).look(of: role)
            #expect(!look.weight.contains(.dim) && (look.foreground == nil) == (look.background == nil), "\(role)")
            guard let foreground = shown(look.foreground, depth) else { continue }
            let contrast = foreground.contrast(with: try #require(shown(look.background, depth)))
            #expect(contrast >= 7, "\(role): \(contrast)")
        }
    }

    @Test func `the measurement finds a weak pair`() {
        #expect(RGBColor(0x999999).contrast(with: RGBColor(0xFFFFFF)) < 4.5)
        #expect(RGBColor(0x767676).contrast(with: RGBColor(0xFFFFFF)) < 7)
    }

    @Test func `a colour finds itself among xterm's`() {
        for index in 16...231 as ClosedRange<UInt8> {
            #expect(RGBColor(index: RGBColor(index: index).index) == RGBColor(index: index))
        }
        #expect(RGBColor(index: 244) == RGBColor(0x808080))
        #expect(RGBColor(index: 208) == RGBColor(0xFF8700))
    }

    @Test(arguments: [
        (Theme.Name.auto, ColorDepth.ansi16, "\u{1B}[31mx\u{1B}[0m"), (.auto, .trueColor, "\u{1B}[31mx\u{1B}[0m"),
        (.light, .trueColor, "\u{1B}[38;2;164;14;38mx\u{1B}[0m"), (.light, .ansi256, "\u{1B}[38;5;124mx\u{1B}[0m"),
        (.dark, .ansi16, "\u{1B}[91mx\u{1B}[0m"), (.highContrast, .ansi16, "\u{1B}[1;97;40mx\u{1B}[0m"),
        (.light, .none, "x"), (.plain, .trueColor, "x"),
    ])
    func `a look is fitted to the terminal`(_ name: Theme.Name, _ depth: ColorDepth, _ text: String) {
        #expect(theme(name, depth).styled("x", .failure) == text)
    }

    @Test(arguments: Theme.Name.allCases, ColorDepth.allCases)
    func `the last guard keeps every look`(_ name: Theme.Name, _ depth: ColorDepth) {
        for role in ColorRole.allCases {
            let text = theme(name, depth).styled("x", role)
            #expect(text.drawable(withColors: true) == text)
            #expect(depth != .none && name != .plain || text == "x")
        }
    }

    @Test func `ASCII glyphs are ASCII`() {
        let glyphs = Glyphs(hasUnicode: false)
        for child in [
            glyphs.filled, glyphs.empty, glyphs.vertical, glyphs.horizontal, glyphs.crossing, glyphs.tick,
            glyphs.corner,
            glyphs.bullet, glyphs.quote, glyphs.dot, glyphs.star, glyphs.ellipsis, glyphs.right, glyphs.wrong,
        ] {
            #expect(child.isASCII)
        }
    }
}
