// SPDX-License-Identifier: MIT

import Domain
import TerminalKit
import Testing

@testable import parley

@Suite(.timeLimit(.minutes(5))) struct WordQuestionTests {
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    /// The answer to a question behind which `line` is typed once it is shown.
    private func answer(typing line: String) async throws -> String? {
        let output = OutputStream(descriptor: terminal.descriptor)
        let console = Console(
            output: output, errors: output, isJSON: false, traits: TerminalTraits(environment: [:], isTerminal: false))
        let question = WordQuestion(text: "Type delete.", console: console, terminal: terminal.descriptor)
        async let answer = question.answer()
        var shown = ""
        for await chunk in InputStream(descriptor: terminal.keyboard).chunks() {
            shown += String(decoding: chunk, as: UTF8.self)
            if shown.contains("Type delete.") { break }
        }
        terminal.type(line)
        return try await answer
    }

    @Test func `a word typed before the question does not answer it`() async throws {
        terminal.type("delete\ndel")
        #expect(try await answer(typing: "keep\n") == "keep")
    }

    @Test func `spaces around the word do not count`() async throws {
        #expect(try await answer(typing: " \t delete \n") == "delete")
    }
}
