// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import TerminalKit

@Suite struct StaticPromptTests {
    private func prompt(_ text: String, width: Int = 40) -> StaticPrompt {
        var prompt = StaticPrompt(prompt: "> ", width: width)
        _ = prompt.show(prompt: "> ", text: Array(text), cursor: text.count)
        return prompt
    }

    @Test(arguments: [
        ("ab", "abc", 3, "c"), ("abc", "ab", 2, "\u{8} \u{8}"), ("a漢", "a", 1, "\u{8}\u{8}  \u{8}\u{8}"),
        ("abc", "abc", 1, "\u{8}\u{8}"), ("abc", "xbc", 3, "\r\n> xbc"), ("abc", "abxc", 3, "\r\n> abxc\u{8}"),
        ("ab", "ab\nc", 4, "\r\nc"), ("ab\nc", "ab\n", 3, "\r\n> ab\r\n"), ("ab", "ab", 2, ""),
        ("a", "a\u{1B}[2J", 5, " [2J"),
    ])
    func `a change is added to the line or written anew`(_ old: String, _ new: String, _ cursor: Int, _ bytes: String) {
        var prompt = prompt(old)
        #expect(prompt.show(prompt: "> ", text: Array(new), cursor: cursor) == bytes)
    }

    @Test func `another prompt is a new line`() {
        var prompt = prompt("ab")
        #expect(prompt.start == "> ab")
        #expect(prompt.show(prompt: "? ", text: Array("ab"), cursor: 2) == "\r\n? ab")
    }

    @Test func `the screen shows the text after any keys`() {
        for seed in 1...200 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var editor = PromptEditor()
            var prompt = StaticPrompt(prompt: "> ", width: 60)
            var screen = Screen()
            screen.write(prompt.start)
            let keys: [PromptKey] = [
                .character("a"), .character("漢"), .character(" "), .left, .right, .home, .end, .backspace, .delete,
                .deleteWord, .paste("bc d"), .putBack, .deleteToEnd,
            ]
            for _ in 0..<60 {
                guard let key = keys.randomElement(using: &generator), editor.text.count < 20 else { break }
                _ = editor.take(key)
                let bytes = prompt.show(prompt: "> ", text: editor.text, cursor: editor.cursor)
                #expect(!bytes.contains("\u{1B}"))
                screen.write(bytes)
                #expect(screen.line == Screen.trimmed("> " + editor.line), "seed \(seed), \(key)")
                #expect(screen.column == 2 + String(editor.text[..<editor.cursor]).columns, "seed \(seed), \(key)")
            }
        }
    }

    /// The last line of a terminal that knows line feed, carriage return and backspace alone.
    private struct Screen {
        private var cells: [Character] = []
        private(set) var column = 0

        /// The line without the spaces at its end, which deleted characters leave.
        var line: String { Self.trimmed(String(cells.filter { $0 != "\0" })) }

        static func trimmed(_ text: String) -> String {
            String(text.reversed().drop { $0 == " " }.reversed())
        }

        mutating func write(_ bytes: String) {
            for scalar in bytes.unicodeScalars {
                switch scalar {
                case "\n": cells = []
                case "\r": column = 0
                case "\u{8}": column = max(0, column - 1)
                default:
                    let width = scalar.columns
                    while cells.count < column + width { cells.append(" ") }
                    cells[column] = Character(scalar)
                    if width == 2 { cells[column + 1] = "\0" }
                    column += width
                }
            }
        }
    }
}
