// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

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
}
