// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite struct LineEditorTests {
    @Test(arguments: [
        ("123456\n", ["123456"]), ("1\r2\n", ["1", "2"]), ("12x\u{7F}3\n", ["123"]), ("ä\u{7F}b\n", ["b"]),
        ("😀\u{8}\u{8}\u{8}a\n", ["a"]), ("wrong\u{15}right\n", ["right"]), ("\n", [""]), ("open", []),
        ("a\u{1B}[Db\u{1B}[3~c\u{1B}OPd\u{1B}[1;5Ce\n", ["abcde"]), ("a\u{0}\u{1}b\n", ["ab"]), ("a\u{4}b\n", ["ab"]),
    ])
    func linesComeOutAsTheyWereEdited(_ typed: String, _ lines: [String]) {
        // However the bytes are split.
        for size in 1...max(1, typed.utf8.count) {
            var editor = LineEditor()
            let bytes = Array(typed.utf8)
            let happenings = stride(from: 0, to: bytes.count, by: size).flatMap {
                editor.feed(Array(bytes[$0..<min(bytes.count, $0 + size)]))
            }
            #expect(happenings == lines.map { .line($0) })
        }
    }

    @Test func controlDEndsAnEmptyLineAlone() {
        var editor = LineEditor()
        #expect(editor.feed([4]) == [.end])
        #expect(editor.feed(Array("a\u{4}".utf8)).isEmpty)
        #expect(editor.text == "a")
    }

    @Test func aPastedBookIsCutOff() {
        var editor = LineEditor()
        _ = editor.feed([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(editor.text.utf8.count == LineEditor.byteLimit)
    }
}
