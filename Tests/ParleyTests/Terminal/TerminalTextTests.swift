// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Domain
import Echo
import MCP
import Security
import TerminalKit
import Testing

@testable import parley

@Suite("Text from outside on a terminal") struct TerminalTextTests {
    fileprivate static let hostile =
        "a\u{1B}[2Jb\u{202E}c\u{2066}d\u{9B}31me\u{7}f\u{2028}g\u{200F}h\u{61C}i\r\nj\u{7F}"

    private func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !$0.isControl && !$0.changesDirection }
    }

    @Test func `every kind of error is printed clean`() throws {
        struct Odd: Error, CustomStringConvertible { let description = TerminalTextTests.hostile }
        let text = Self.hostile
        let errors: [any Error] = [
            DomainError.file(Sentence(verbatim: text)), DomainError.server(Sentence(verbatim: text)),
            EchoError.connectionFailed(text), EchoError.refused(text),
            EchoError.apiError(APIFailure(status: 500, code: text, message: text)), EchoError.unsupportedModel(text),
            MCPError(.server, text), UsageError(Sentence(verbatim: text), command: nil),
            OutputStream.Failed(sentence: Sentence(verbatim: text)), Odd(),
            SecretStoreError(code: .unavailable, message: text),
        ]
        for error in errors {
            let report = try #require(ErrorReport(error))
            #expect(isClean(report.message) && report.message.contains("j"), "\(report.message.debugDescription)")
        }
        #expect(isClean(ErrorReport(code: "x", message: text).message))
    }
}
