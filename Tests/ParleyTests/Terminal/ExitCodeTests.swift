// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import TerminalKit
import Testing

@testable import parley

@Suite struct ExitCodeTests {
    @Test(arguments: [
        (DomainError.emptyQuery, ExitCode.usage), (.queryTooLong(limit: 1), .usage), (.invalidQuery, .refused),
        (.noSpeech, .refused), (.notUnderstood, .refused),
        (.speechTooLong(limit: 20), .refused), (.device(""), .device), (.file(""), .data),
        (.speechEngine(""), .data), (.keyRefused(""), .refused), (.storage(""), .data), (.generationFailed(""), .data),
    ])
    func everyDomainErrorHasItsCode(_ error: DomainError, _ expected: ExitCode) {
        #expect(ExitCode(for: error) == expected)
    }

    @Test func otherErrorsToo() {
        #expect(ExitCode(for: UsageError("", command: nil)) == .usage)
        #expect(ExitCode(for: CancellationError()) == .interrupted)
        #expect(ExitCode(for: OutputStream.Failed(sentence: "")) == .data)
        #expect(ErrorReport(OutputStream.Closed()) == nil)
        #expect(ErrorReport(DomainError.invalidQuery)?.code == "invalidQuery")
    }

    @Test func controlCharactersDoNotReachATerminal() {
        #expect("a\u{1B}[31mb\r\n\u{9B}c\0é😀".printable == "a [31mb   c é😀")
    }
}
