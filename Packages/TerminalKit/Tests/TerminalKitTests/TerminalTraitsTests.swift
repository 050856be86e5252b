// SPDX-License-Identifier: MIT

import Testing

@testable import TerminalKit

@Suite struct TerminalTraitsTests {
    @Test(arguments: [
        (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false), (["TERM": "dumb"], true, false),
        (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
    ])
    func colours(_ environment: [String: String], _ isTerminal: Bool, _ expected: Bool) {
        #expect(TerminalTraits(environment: environment, isTerminal: isTerminal).hasColors == expected)
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "de_DE.utf8"], true),
    ])
    func unicode(_ environment: [String: String], _ expected: Bool) {
        #expect(TerminalTraits(environment: environment, isTerminal: true).hasUnicode == expected)
    }

    @Test(arguments: [
        (["TERM": "xterm"], true, ColorDepth.ansi16), (["TERM": "xterm-256color"], true, .ansi256),
        (["TERM": "xterm", "COLORTERM": "truecolor"], true, .trueColor), (["COLORTERM": "24bit"], true, .trueColor),
        (["TERM": "xterm-direct"], true, .trueColor), ([:], true, .ansi16), ([:], false, .none),
        (["CLICOLOR_FORCE": "1"], false, .ansi16), (["CLICOLOR_FORCE": "0"], false, .none),
        (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, .none),
        (["CLICOLOR_FORCE": "1", "TERM": "dumb"], true, .none),
        (["COLORTERM": "truecolor", "TERM": "dumb"], true, .none),
        (["COLORTERM": "yes", "TERM": "vt100"], true, .ansi16),
    ])
    func `the environment decides about colours`(
        _ environment: [String: String], _ isTerminal: Bool, _ expected: ColorDepth
    ) {
        #expect(ColorDepth(environment: environment, isTerminal: isTerminal) == expected)
    }

    @Test func `a dumb or static terminal writes nothing anew`() {
        #expect(TerminalTraits(environment: ["TERM": "xterm"], isTerminal: true).canRedraw)
        #expect(!TerminalTraits(environment: ["TERM": "dumb"], isTerminal: true).canRedraw)
        #expect(!TerminalTraits(environment: ["TERM": "xterm"], isTerminal: true, isStatic: true).canRedraw)
    }

    @Test func `the plain theme takes the colours away`() {
        let traits = TerminalTraits(environment: ["TERM": "xterm"], isTerminal: true)
        #expect(traits.hasColors && !traits.themed(.plain).hasColors)
        #expect(traits.themed(.dark).theme.name == .dark)
    }

    @Test func `a status line is cut by columns`() {
        #expect(ControlSequence.replacingLine(with: "漢字漢字", columns: 6) == "\r漢字\u{1B}[K")
        #expect(ControlSequence.replacingLine(with: "a\u{1B}[2J", columns: 1) == "\r\u{1B}[K")
    }
}
