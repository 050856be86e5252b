// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@testable import parley

@Suite struct WrappedTextTests {
    @Test(arguments: [
        ("one two three four five six", 20, "one two three four\nfive six"),
        ("short", 20, "short"),
        ("works    Answers: fifty states and more", 24, "works    Answers: fifty\n         states and more"),
        ("  indented text that is long", 20, "  indented text that\n  is long"),
        ("a-word-that-is-longer-than-the-line and more", 20, "a-word-that-is-longer-than-the-line\nand more"),
        ("\u{1B}[2mone two\u{1B}[0m three four five", 20, "\u{1B}[2mone two\u{1B}[0m three four\nfive"),
        ("你好 世界 你好 世界 你好", 20, "你好 世界 你好 世界\n你好"),
        ("first line is long enough\n\nthird", 20, "first line is long\nenough\n\nthird"),
        ("one two three four five six", 10, "one two three four five six"),
    ])
    func `long lines are broken between words`(_ text: String, _ width: Int, _ lines: String) {
        #expect(WrappedText.lines(text, width: width) == lines)
    }

    @Test func `what is no terminal gets the text as it is`() {
        let text = String(repeating: "word ", count: 100)
        #expect(WrappedText.lines(text, width: nil) == text)
    }

    @Test(arguments: [24, 33, 40, 60, 80, 119])
    func `help keeps its words and its width`(_ width: Int) {
        for specification in Commands.all.map({ $0.specification }) {
            let help = Commands.table.help(of: specification)
            let shown = WrappedText.lines(CommandTable.reflowed(help, width: width), width: width)
            #expect(words(of: shown) == words(of: help), "\(specification.name)")
            for line in shown.split(separator: "\n") where String(line).columns > width {
                // Only what has no gap to break at is wider.
                #expect(!line.drop { $0 == " " }.contains("  "), "\(specification.name): \(line)")
            }
        }
    }

    private func words(of text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
