// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct ColumnsTests {
    @Test(arguments: [
        ("abc", 3), ("漢字", 4), ("ｱ", 1), ("Ａ", 2), ("e\u{301}", 1), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("👩‍💻", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤\u{FE0F}", 2), ("", 0), ("שלום", 4), ("مرحبا".isolated, 5),
    ])
    func `a character takes the columns of its class`(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abc", 2, "ab"), ("漢字", 3, "漢"), ("漢字", 1, ""), ("👩‍💻a", 2, "👩‍💻"), ("abc", -4, ""), ("a", 9, "a"),
        ("\u{2068}שלום\u{2069}", 2, "\u{2068}של\u{2069}"),
    ])
    func `no character is cut`(_ text: String, _ columns: Int, _ cut: String) {
        #expect(text.cut(to: columns) == cut)
    }

    @Test func `a text is fitted by columns`() {
        let glyphs = Glyphs(hasUnicode: true)
        #expect("漢".fitted(to: 4, glyphs: glyphs) == "漢  ")
        #expect("12".fitted(to: 4, alignsRight: true, glyphs: glyphs) == "  12")
        #expect("漢字漢".fitted(to: 4, glyphs: glyphs) == "漢 …")
        #expect("long words".fitted(to: 5, glyphs: Glyphs(hasUnicode: false)) == "long.")
    }
}
