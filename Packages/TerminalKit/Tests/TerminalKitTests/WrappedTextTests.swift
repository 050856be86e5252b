// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct WrappedTextTests {
    @Test(arguments: [
        ("one two three four five six", 20, "one two three four\nfive six"),
        ("short", 20, "short"),
        ("works    Answers: fifty states and more", 24, "works    Answers: fifty\n         states and more"),
        ("  a long label  the text of it", 20, "  a long label  the\n      text of it"),
        ("  indented text that is long", 20, "  indented text that\n  is long"),
        ("a-word-that-is-longer-than-the-line and more", 20, "a-word-that-is-longer-than-the-line\nand more"),
        ("\u{1B}[2mone two\u{1B}[0m three four five", 20, "\u{1B}[2mone two\u{1B}[0m three four\nfive"),
        ("你好 世界 你好 世界 你好", 20, "你好 世界 你好 世界\n你好"),
        ("端末の幅に合わせて、文字の間で改行する。", 20, "端末の幅に合わせて、\n文字の間で改行する。"),
        ("一二三四五六七八九十、十一二三四", 20, "一二三四五六七八九\n十、十一二三四"),
        ("値は「一二三四五六七八」です", 20, "値は「一二三四五六七\n八」です"),
        ("録音は--outputで選ぶFILEに入る", 20, "録音は--outputで選ぶ\nFILEに入る"),
        ("a \u{2068}b of two words\u{2069} and c", 20, "a \u{2068}b of two words\u{2069} and\nc"),
        ("say: \u{2068}one two three\u{2069} four five", 20, "say: \u{2068}one two three\u{2069}\nfour five"),
        (
            "say:  \u{2068}one two three four\u{2069}", 20,
            "say:  \u{2068}one two three\u{2069}\n      \u{2068}four\u{2069}"
        ),
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
