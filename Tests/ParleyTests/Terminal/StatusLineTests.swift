// SPDX-License-Identifier: MIT

import Domain
import Localization
import TerminalKit
import Testing

@testable import parley

@Suite(.timeLimit(.minutes(5))) struct StatusLineTests {
    /// The bytes that reach a terminal.
    private func written(isStatic: Bool, _ body: (StatusLine) -> Void) async throws -> String {
        let terminal = try PseudoTerminal()
        let output = OutputStream(descriptor: terminal.descriptor)
        let traits = TerminalTraits(environment: ["TERM": "xterm"], isTerminal: true, isStatic: isStatic)
        body(StatusLine(console: Console(output: output, errors: output, isJSON: false, traits: traits)))
        try output.write("end")
        var shown = ""
        for await chunk in InputStream(descriptor: terminal.keyboard).chunks() {
            shown += String(decoding: chunk, as: UTF8.self)
            if shown.hasSuffix("end") { break }
        }
        return String(shown.dropLast(3))
    }

    private func change(_ line: StatusLine) {
        line.show("level 1", spoken: "listening")
        line.show("level 2", spoken: "listening")
        line.show("1 second")
        line.announce("thinking")
        line.clear()
    }

    @Test func `a line is written over the last one`() async throws {
        let shown = try await written(isStatic: false, change)
        #expect(
            shown == ["level 1", "level 2", "1 second", "thinking", ""].map { "\r\($0)\u{1B}[K" }.joined())
    }

    @Test func `a static line says once what must be read`() async throws {
        #expect(try await written(isStatic: true, change) == "listening\r\nthinking\r\n")
    }

    @Test func `a spoken state changes with the phase alone`() {
        var status = ListenStatus(wakeWord: "hey jarvis", glyphs: Glyphs(hasUnicode: false), translator: .english)
        #expect(status.spoken == "idle say \"hey jarvis\"")
        status.phase = .listening
        let spoken = status.spoken
        (status.level, status.words) = (-20, "what is")
        #expect(status.spoken == spoken && status.text.contains("what is"))
    }
}
