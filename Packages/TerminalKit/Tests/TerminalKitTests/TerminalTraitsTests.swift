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
}
