// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite("Text from outside on a terminal") struct TerminalTextTests {
    private static let hostile =
        "a\u{1B}[2Jb\u{202E}c\u{2066}d\u{9B}31me\u{7}f\u{2028}g\u{200F}h\u{61C}i\r\nj\u{7F}"

    @Test func `printable text has no control and no bidi characters`() {
        #expect(Self.hostile.printable == "a [2Jbcd 31me f ghi  j ")
        #expect("שלום 漢字 👩‍👩‍👧".printable == "שלום 漢字 👩‍👩‍👧")
    }

    @Test func `drawable text keeps lines and allowed colours alone`() {
        let text = "\u{1B}[1;36mx\u{1B}[0m\n\t\u{1B}[8mhidden\u{1B}]0;title\u{7}\u{202E}\r"
        #expect(text.drawable(withColors: true) == "\u{1B}[1;36mx\u{1B}[0m\n\t [8mhidden ]0;title ")
        #expect(text.drawable(withColors: false) == " [1;36mx [0m\n\t [8mhidden ]0;title ")
    }

    @Test(arguments: [
        ("38;5;8", true), ("38;2;8;8;8;48;2;8;0;8", true), ("1;38;2;255;255;255;48;2;164;14;38", true), ("", true),
        ("8", false), ("1;8", false), ("38;5;8;8", false), ("38;8", false), ("48;2;1;2;3;8", false),
        ("38;2;1;2;3;8", false),
    ])
    func `a colour's number conceals nothing`(_ parameters: String, _ isKept: Bool) {
        let text = "\u{1B}[\(parameters)mx"
        #expect((text.drawable(withColors: true) == text) == isKept)
    }

    @Test func `an isolate stays where it ends on its line`() {
        #expect("שלום".isolated == "\u{2068}שלום\u{2069}")
        #expect("hello".isolated == "hello")
        #expect(
            "a\u{202E}ש\u{2069}".isolated == "\u{2068}aש\u{2069}", "text from outside brings no direction of its own")
        let line = "by \("مرحبا".isolated) (1)"
        #expect(line.drawable(withColors: false) == line)
        #expect("\u{2068}a\nb\u{2069}".drawable(withColors: false) == "a\nb")
        #expect("\u{2068}a\u{202E}b\u{2069}".drawable(withColors: false) == "ab")
        #expect("\u{2069}a\u{2068}".drawable(withColors: false) == "a")
    }

    @Test func `revealed text hides nothing`() {
        #expect(
            "a\u{200B}b\u{202E}\u{A0}c\td\u{FE0F}\u{E0041}é漢".revealed
                == #"a\u{200B}b\u{202E}\u{A0}c\u{9}d\u{FE0F}\u{E0041}é漢"#)
    }
}
