// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import TerminalKit

@Suite struct MarkdownRendererTests {
    private func theme(_ hasUnicode: Bool) -> Theme {
        Theme(.auto, depth: .ansi16, glyphs: Glyphs(hasUnicode: hasUnicode))
    }

    /// What is written, with the sequences for looks as short marks.
    private func shown(_ text: String, width: Int = 40, hasUnicode: Bool = true) -> String {
        var renderer = MarkdownRenderer(width: width, theme: theme(hasUnicode))
        return renderer.feed(text) + renderer.finish()
    }

    private func marked(_ text: String, width: Int = 40, hasUnicode: Bool = true) -> String {
        shown(text, width: width, hasUnicode: hasUnicode)
            .replacing(/\u{1B}\[([0-9;]*)m/) { $0.output.1 == "0" ? "}" : "{\($0.output.1):" }
    }

    @Test(
        arguments: [
            ("plain", "plain\n"), ("a **b** c", "a {1:b} c\n"), ("*a* _b_", "{3:a} {3:b}\n"), ("***a***", "{1;3:a}\n"),
            ("**a *b***", "{1:a }{1;3:b}\n"), ("~~a~~ ~b~", "{9:a} ~b~\n"), ("`a *b*`", "{36:a *b*}\n"),
            ("``a`b``", "{36:a`b}\n"), ("2 * 3 * 4", "2 * 3 * 4\n"), ("snake_case_name", "snake_case_name\n"),
            ("\\*a\\*", "*a*\n"), ("**open", "**open\n"), ("`open", "`open\n"), ("a*", "a*\n"),
            ("** a **", "** a **\n"),
            ("[a](https://b.c)", "{4:a} {2:(https://b.c)}\n"), ("[a] (b)", "[a] (b)\n"), ("[a", "[a\n"),
            ("![a](b \"c\")", "{4:a} {2:(b)}\n"), ("<https://b.c>", "<https://b.c>\n"),
            ("# A", "{1;4:A}\n"), ("### A *b*", "{1:A }{1;3:b}\n"), ("#a", "#a\n"), ("####### a", "####### a\n"),
            ("- a", "{2:• }a\n"), ("  * a", "{2:  • }a\n"), ("12. a", "{2:12. }a\n"), ("1.5", "1.5\n"),
            ("+ a", "{2:• }a\n"),
            ("> a", "{2:│ }a\n"), ("> > - a", "{2:│ │ • }a\n"), (">a", "{2:│ }a\n"),
            ("---", "{2:────────────────────────────────────────}\n"), ("--", "--\n"), ("**a**\n***", nil),
            ("```swift\nlet a = **b**\n\n```\n*c*", "{2:```swift}\n{36:let a = **b**}\n\n{2:```}\n{3:c}\n"),
            ("~~~\n```\n~~~~", "{2:~~~}\n{36:```}\n{2:~~~~}\n"), ("```a``` b", "{36:a} b\n"), ("a\n\nb", "a\n\nb\n"),
            ("a\r\nb", "a\nb\n"), ("", ""), ("\n", "\n"), ("   ", "\n"),
        ] as [(String, String?)])
    func markdownLooksLikeWhatItMeans(_ text: String, _ result: String?) {
        if let result { #expect(marked(text) == result) }
    }

    @Test func withoutUnicodeThereIsOnlyASCII() {
        #expect(marked("> - a\n\n---", hasUnicode: false).unicodeScalars.allSatisfy { $0.isASCII })
        #expect(marked("| a |\n|---|\n| b |", hasUnicode: false).unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test(arguments: [
        ("aaa bbb ccc ddd", "aaa bbb\nccc ddd\n"), ("- aaa bbb ccc", "{2:• }aaa\n  bbb\n  ccc\n"),
        ("*  aaaaaaaaaaaa", "{2:• }aaaaaa\n  aaaaaa\n"),
        ("> aaa bbb", "{2:│ }aaa\n{2:│ }bbb\n"), ("漢字漢字漢字", "漢字漢字\n漢字\n"), ("aaaaaaaaaaaa", "aaaaaaaa\naaaa\n"),
        ("**aaa bbb ccc**", "{1:aaa bbb}\n{1:ccc}\n"),
        ("e\u{301}e\u{301}e\u{301} aaaaa", "e\u{301}e\u{301}e\u{301}\naaaaa\n"),
        ("👩‍💻👩‍💻👩‍💻", "👩‍💻👩‍💻👩‍💻\n"),
    ])
    func linesAreBrokenBetweenWords(_ text: String, _ result: String) {
        #expect(marked(text, width: 8) == result)
    }

    @Test func `a resize in the middle of a table holds for all of it`() {
        var renderer = MarkdownRenderer(width: 40, theme: .plain())
        var text = renderer.feed("| a long word | b |\n|---|---|\n| x ")
        renderer.resize(width: 12)
        text += renderer.feed("| y |\n\nsome more words\n") + renderer.finish()
        #expect(text == "| a long\nword | b |\n|---|---|\n| x | y |\n\nsome more\nwords\n")
        renderer.resize(width: 40)
        #expect(renderer.feed("| a | b |\n|---|---|\n") + renderer.finish() == "a │ b\n──┼──\n")
    }

    @Test(arguments: [198, 199, 250, 500])
    func `a table is laid out whole or not at all`(_ count: Int) {
        let table = "| a |\n|---|\n" + (1...count).map { "| \($0) |\n" }.joined()
        let plain = shown(table + "\nend").replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect((plain == table + "\nend\n") == (count > 198))
        #expect(shown(table + "\n" + "| a |\n|---|\n| b |").hasSuffix(shown("\n| a |\n|---|\n| b |")))
    }

    @Test func tablesAreAligned() {
        let table = "| a | b | c |\n|:--|--:|:-:|\n| x | y | **zzz** |\n| 漢字 | 12 |\n"
        #expect(
            shown(table).replacing(/\u{1B}\[[0-9;]*m/, with: "") == """
                a    │  b │  c
                ─────┼────┼────
                x    │  y │ zzz
                漢字 │ 12 │

                """)
        #expect(shown("| a \\| b |\n|-|\n").contains("a | b"))
        #expect(marked("| a | b |\nc") == "| a | b |\nc\n", "no table without a row of dashes")
        let wide = "| \(String(repeating: "a", count: 50)) | b |\n|-|-|\n"
        #expect(marked(wide, width: 60).contains("│"))
        #expect(!marked(wide, width: 40).contains("│"), "too wide")
    }

    @Test func nothingOfTheModelsDrivesTheTerminal() {
        let evil = [
            "\u{1B}[2J", "\u{9B}2J", "\u{1B}]0;title\u{7}", "a\u{8}b", "\u{7F}", "\u{0}", "\u{202E}abc\u{2066}",
            "\u{85}",
            "`\u{1B}[31m`", "```\u{1B}c\n\u{1B}[31m\n```", "| \u{1B}[31m |\n|-|", "[a](\u{1B}]8;;b)", "# \u{1B}[5m",
            "- \u{1B}P",
            "a\u{2028}b",
        ]
        for text in evil {
            let left = shown(text).replacing(/\u{1B}\[[0-9;]*m/, with: "")
            for scalar in left.unicodeScalars where scalar != "\n" {
                #expect(scalar.properties.generalCategory != .control, "\(text.debugDescription)")
                #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
            }
            // Only what turns looks on and off again.
            #expect(
                shown(text).matches(of: /\u{1B}\[[0-9;]*m/).allSatisfy {
                    ["\u{1B}[0m"].contains(String($0.0)) || $0.0.contains(/\[(1|2|3|4|9|36)(;(3|4|9|36))*m/)
                })
        }
    }

    @Test func everyLookIsTurnedOffAtTheLinesEnd() {
        for text in [
            "**a", "# b\nc", "`d`", "> e", "[f](g)", "- **h i j k l m n o p q r s t u v w x y z a b c d e f g**",
        ] {
            for line in shown(text, width: 20).split(separator: "\n") {
                let last = line.matches(of: /\u{1B}\[[0-9;]*m/).last
                #expect(last == nil || last?.0 == "\u{1B}[0m", "\(line.debugDescription)")
            }
        }
    }

    /// Pieces that mean something, put together at random.
    private static let pieces = [
        "a", "word", " ", "  ", "\n", "\n\n", "*", "**", "***", "_", "__", "`", "``", "```", "~~", "~~~", "[", "]", "(",
        ")",
        "](", "![", "# ", "## ", "- ", "* ", "1. ", "> ", "|", "| a |", "|---|", "---", "\\", "漢", "e\u{301}", "👩‍💻",
        "\u{1B}[31m",
        "\r\n", "\t", "https://a.b", "snake_case", "```swift\n", "\n```\n", "3", ".", "\u{FEFF}",
    ]

    @Test func howTheTextIsCutMakesNoDifference() {
        for seed in 1...400 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...(seed.isMultiple(of: 20) ? 700 : 60), using: &generator)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            let width = Int.random(in: 8...60, using: &generator)
            let whole = shown(text, width: width)
            for _ in 0..<4 {
                var renderer = MarkdownRenderer(width: width, theme: theme(true))
                var output = ""
                var rest = Array(text.unicodeScalars)[...]
                while !rest.isEmpty {
                    let size = Int.random(in: 1...9, using: &generator)
                    output += renderer.feed(String(String.UnicodeScalarView(rest.prefix(size))))
                    rest = rest.dropFirst(size)
                }
                output += renderer.finish()
                #expect(output == whole, "seed \(seed): \(text.debugDescription)")
            }
        }
    }

    @Test func noLineIsWiderThanTheTerminal() {
        let pieces = Self.pieces.filter { !$0.contains("`") && !$0.contains("~~") }
        for seed in 1...500 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let text = (0..<80).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            // Code is for the terminal to break.
            for line in shown(text, width: 30).replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n") {
                #expect(String(line).columns <= 30, "seed \(seed): \(line.debugDescription)")
            }
        }
    }

    @Test func wordsComeOutWhileTheLineIsStillComing() {
        var renderer = MarkdownRenderer(width: 80, theme: theme(true))
        #expect(renderer.feed("one two th") == "one two")
        #expect(renderer.feed("ree ") == " three")
        #expect(renderer.feed("漢") == " 漢")
        #expect(renderer.finish() == "\n")
    }

    @Test func hostileTextTakesNoQuadraticTime() {
        // Each would need 4·10⁸ steps if it were looked at again from its beginning.
        for text in ["*", "-", "#", "`", "[", ">", "|", " ", "_a ", "1", "\u{301}"] {
            #expect(!shown(String(repeating: text, count: 20_000)).isEmpty)
        }
    }
}
