// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// A question at the terminal, answered by a whole word and Enter. Only a line that is typed after the question answers
/// it.
struct WordQuestion: Sendable {
    let text: Sentence
    let console: Console
    /// The descriptor of the terminal at which the answer is typed.
    var terminal = STDIN_FILENO

    /// Asks once.
    ///
    /// - Returns: The line without whitespace at its ends; nil at the end of the input.
    /// - Throws: `CancellationError`.
    func answer() async throws -> String? {
        tcflush(terminal, TCIFLUSH)
        console.progress(text)
        var lines = InputStream(descriptor: terminal).lines(1).makeAsyncIterator()
        let line = await lines.next()
        try Task.checkCancellation()
        return line?.trimmingWhitespace
    }
}

extension Console {
    /// Asks before something is deleted for good; true if the answer is "delete".
    ///
    /// - Parameters:
    ///   - loss: Names what is deleted, after "This deletes".
    ///   - summary: The same in short, for an input that is no terminal.
    ///   - isSure: True if the command line has `--yes`, so that nobody is asked.
    /// - Throws: ``DomainError/invalidInput(_:)`` if standard input is no terminal, or `CancellationError`.
    func confirmsDeletion(of loss: Sentence, summary: Sentence, isSure: Bool) async throws -> Bool {
        if isSure { return true }
        guard InputStream().isTerminal else {
            throw DomainError.invalidInput("This deletes \(summary). Add --yes to delete it without a question.")
        }
        let question = WordQuestion(text: "This deletes \(loss). Type \"delete\" to do so.", console: self)
        return try await question.answer() == "delete"
    }
}
