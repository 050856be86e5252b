// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import TerminalKit

@Suite struct PromptEditorTests {
    /// What typed bytes come to, however they are cut.
    private func typed(_ text: String, history: [String] = []) -> (happenings: [PromptEditor.Happening], line: String) {
        var results: [([PromptEditor.Happening], String)] = []
        for size in 1...max(1, min(8, text.utf8.count)) {
            var decoder = PromptKeyDecoder()
            var editor = PromptEditor()
            editor.history = history
            let bytes = Array(text.utf8)
            let keys = stride(from: 0, to: bytes.count, by: size).flatMap {
                decoder.feed(Array(bytes[$0..<min(bytes.count, $0 + size)]))
            }
            results.append((keys.compactMap { editor.take($0) }, editor.line))
        }
        for result in results { #expect(result == results[0]) }
        return results[0]
    }

    @Test(arguments: [
        ("ab\u{1B}[Dc", "acb"), ("ab\u{1}c", "cab"), ("ab\u{1}c\u{5}d", "cabd"), ("abc\u{1B}[D\u{1B}[D\u{1B}[3~", "ac"),
        ("ab cd\u{17}e", "ab e"), ("ab cd\u{15}e", "e"), ("ab cd\u{1}\u{B}e", "e"), ("ab cd\u{17}\u{1}\u{19}", "cdab "),
        ("ab cd\u{1B}be", "ab ecd"), ("ab cd\u{1}\u{1B}fe", "abe cd"), ("ab\u{1B}[1;5De", "eab"), ("äö\u{7F}", "ä"),
        ("👩‍💻\u{7F}a", "a"), ("a\u{1B}\rb", "a\nb"), ("\u{1B}[200~a\r\nb\rc\n\u{1B}[201~d", "a\nb\nc\nd"),
        ("\u{1B}[200~a\u{3}\u{1B}[Ab\u{1B}[201~", "a[Ab"), ("a\u{1B}[15~b\u{1B}OPc", "abc"),
        ("a\u{1B}[Hb\u{1B}[Fc", "bac"),
        ("\u{1B}[200~ab\ncd\u{1B}[201~\u{1B}[Ae", "abe\ncd"),
        ("\u{1B}[200~ab\ncd\u{1B}[201~\u{1B}[A\u{1B}[Be", "ab\ncde"),
    ])
    func keysEditTheText(_ bytes: String, _ line: String) { #expect(typed(bytes).line == line) }

    @Test func enterSendsAndControlCClearsAndControlDEnds() {
        #expect(typed("one\rtwo\n").happenings == [.line("one"), .line("two")])
        #expect(
            typed("a\u{3}b\u{3}\u{3}").happenings == [
                .interrupt(wasEmpty: false), .interrupt(wasEmpty: false), .interrupt(wasEmpty: true),
            ])
        #expect(typed("a\u{4}").happenings.isEmpty)
        #expect(typed("\u{4}").happenings == [.end])
        #expect(typed("\u{C}").happenings == [.clearScreen])
    }

    @Test func arrowsGoThroughWhatWasTypedBefore() {
        let history = ["first", "second"]
        #expect(typed("\u{1B}[A", history: history).line == "second")
        #expect(typed("\u{1B}[A\u{1B}[A\u{1B}[A", history: history).line == "first")
        #expect(typed("draft\u{1B}[A\u{1B}[B", history: history).line == "draft")
        #expect(typed("\u{1B}[A!\r", history: history).happenings == [.line("second!")])
        #expect(typed("\u{1B}[A\r\u{1B}[A", history: history).line == "second")
    }

    @Test func bytesThatAreNoTextAreDropped() {
        var decoder = PromptKeyDecoder()
        #expect(decoder.feed([0xFF, 0xC3, 0x28, 0x80, UInt8(ascii: "a"), 0xC3, 0xA4]).count == 3)
        for seed in 1...50 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var (decoder, editor) = (PromptKeyDecoder(), PromptEditor())
            editor.history = ["a", "b\nc"]
            for key in decoder.feed((0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) }) {
                _ = editor.take(key)
                #expect((0...editor.text.count).contains(editor.cursor), "seed \(seed)")
            }
        }
    }

    @Test(arguments: ["\u{1B}[201x", "\u{1B}[201"])
    func `what almost ends a paste is cut off too`(_ almost: String) {
        var decoder = PromptKeyDecoder()
        let book = [UInt8](repeating: UInt8(ascii: "a"), count: PromptKeyDecoder.pasteLimit)
        let rest = String(repeating: almost, count: 1_000)
        let keys = decoder.feed(Array("\u{1B}[200~".utf8) + book + Array((rest + "\u{1B}[201~").utf8))
        #expect(keys == [.paste(String(decoding: book, as: UTF8.self))])
    }

    @Test func aPastedBookIsCutOff() {
        var decoder = PromptKeyDecoder()
        let book = [UInt8](repeating: UInt8(ascii: "a"), count: 2_000_000)
        let keys = decoder.feed(Array("\u{1B}[200~".utf8) + book + Array("\u{1B}[201~".utf8))
        guard case .paste(let text)? = keys.first else { Issue.record("no paste"); return }
        #expect(text.count <= PromptKeyDecoder.pasteLimit)
    }

    @Test func thePictureFitsTheTerminal() {
        func picture(_ text: String, _ cursor: Int, width: Int = 10, height: Int = 5) -> PromptPicture {
            PromptPicture(prompt: "> ", text: Array(text), cursor: cursor, width: width, height: height)
        }
        #expect(picture("abc", 1).rows == ["> abc"])
        #expect(picture("abc", 1).cursorColumn == 3)
        let long = picture("abcdefghijkl", 12)
        #expect(long.rows == ["> abcdefg", "hijkl"])
        #expect((long.cursorRow, long.cursorColumn) == (1, 5))
        #expect(picture("a\nb", 3).rows == ["> a", "  b"])
        #expect(picture("漢字漢字漢字", 0).rows.allSatisfy { $0.columns < 10 })
        let tall = picture((0..<20).map(String.init).joined(separator: "\n"), 0, height: 3)
        #expect(tall.rows == ["> 0", "  1", "  2"])
        #expect(picture("a\u{1B}[31m", 0).rows == ["> a [31m"])
        #expect(long.drawn(over: picture("a", 1)) == "\r\u{1B}[J> abcdefg\nhijkl\r\u{1B}[5C")
        #expect(picture("a", 0).drawn(over: long) == "\u{1B}[1A\r\u{1B}[J> a\r\u{1B}[2C")
    }
}
