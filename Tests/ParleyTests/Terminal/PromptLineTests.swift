// SPDX-License-Identifier: MIT

import Foundation
import TerminalKit
import Testing

@testable import parley

@Suite struct PromptLineTests {
    @Test(arguments: [("abc", 20, "abc"), ("0123456789", 8, "23456789"), ("0123456789", 1, "23456789")])
    func `the end of a long text is shown`(_ text: String, _ columns: Int, _ end: String) {
        #expect(PromptLine.end(of: text, in: columns) == end)
    }

    @Test(arguments: [
        ("123456\n", ["123456"]), ("1\r2\n", ["1", "2"]), ("12x\u{7F}3\n", ["123"]), ("ä\u{7F}b\n", ["b"]),
        ("😀\u{8}\u{8}\u{8}a\n", ["a"]), ("wrong\u{15}right\n", ["right"]), ("\n", [""]), ("open", []),
        ("a\u{1B}[Db\u{1B}[3~c\u{1B}OPd\u{1B}[1;5Ce\n", ["abcde"]), ("a\u{0}\u{1}b\n", ["ab"]),
        ("a\u{4}b\n", ["ab"]), ("a\u{1B}\rb\n", ["a", "b"]),
    ])
    func `lines come out as they were edited`(_ typed: String, _ lines: [String]) {
        // However the bytes are split.
        for size in 1...max(1, typed.utf8.count) {
            var (decoder, editor) = (PromptKeyDecoder(), PromptEditor())
            let bytes = Array(typed.utf8)
            let happenings = stride(from: 0, to: bytes.count, by: size).flatMap {
                PromptLine.feed(Array(bytes[$0..<min(bytes.count, $0 + size)]), &decoder, &editor)
            }
            #expect(happenings == lines.map { .line($0) })
        }
    }

    @Test func `Ctrl-D ends an empty line alone`() {
        var (decoder, editor) = (PromptKeyDecoder(), PromptEditor())
        #expect(PromptLine.feed([4], &decoder, &editor) == [.end])
        #expect(PromptLine.feed(Array("a\u{4}".utf8), &decoder, &editor).isEmpty)
        #expect(editor.line == "a")
    }

    @Test func `lines of the input arrive whole`() async throws {
        let pipe = Pipe()
        let long = String(repeating: "a", count: 10_000)
        try pipe.fileHandleForWriting.write(contentsOf: Data("1\n\n\(long)\n2".utf8))
        try pipe.fileHandleForWriting.close()
        let input = parley.InputStream(descriptor: pipe.fileHandleForReading.fileDescriptor)
        let lines = await input.lines().reduce(into: []) { $0.append($1) }
        #expect(lines == ["1", "", long, "2"])
    }

    @Test func `wide characters take two columns`() {
        #expect(PromptLine.end(of: "日本語のリンク", in: 9) == "のリンク")
    }
}
