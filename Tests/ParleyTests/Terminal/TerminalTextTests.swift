// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Domain
import Echo
import MCP
import Security
import Testing

@testable import parley

@Suite("Text from outside on a terminal") struct TerminalTextTests {
    fileprivate static let hostile =
        "a\u{1B}[2Jb\u{202E}c\u{2066}d\u{9B}31me\u{7}f\u{2028}g\u{200F}h\u{61C}i\r\nj\u{7F}"

    private func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !$0.isControl && !$0.changesDirection }
    }

    @Test func `printable text has no control and no bidi characters`() {
        #expect(Self.hostile.printable == "a [2Jbcd 31me f ghi  j ")
        #expect("שלום 漢字 👩‍👩‍👧".printable == "שלום 漢字 👩‍👩‍👧")
    }

    @Test func `drawable text keeps lines and allowed colours alone`() {
        let text = "\u{1B}[1;36mx\u{1B}[0m\n\t\u{1B}[8mhidden\u{1B}]0;title\u{7}\u{202E}\r"
        #expect(text.drawable(withColors: true) == "\u{1B}[1;36mx\u{1B}[0m\n\t [8mhidden ]0;title ")
        #expect(text.drawable(withColors: false) == " [1;36mx [0m\n\t [8mhidden ]0;title ")
    }

    @Test func `revealed text hides nothing`() {
        #expect(
            "a\u{200B}b\u{202E}\u{A0}c\td\u{FE0F}\u{E0041}é漢".revealed
                == #"a\u{200B}b\u{202E}\u{A0}c\u{9}d\u{FE0F}\u{E0041}é漢"#)
    }

    @Test func `every kind of error is printed clean`() throws {
        struct Odd: Error, CustomStringConvertible { let description = TerminalTextTests.hostile }
        let text = Self.hostile
        let errors: [any Error] = [
            DomainError.file(text), DomainError.server(text), EchoError.connectionFailed(text), EchoError.refused(text),
            EchoError.apiError(APIFailure(status: 500, code: text, message: text)), EchoError.unsupportedModel(text),
            MCPError(.server, text), UsageError(text, command: nil), OutputStream.Failed(message: text), Odd(),
            SecretStoreError(code: .unavailable, message: text),
        ]
        for error in errors {
            let report = try #require(ErrorReport(error))
            #expect(isClean(report.message) && report.message.contains("j"), "\(report.message.debugDescription)")
        }
        #expect(isClean(ErrorReport(code: "x", message: text).message))
    }
}
