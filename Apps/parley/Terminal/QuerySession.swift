// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// One question after another at a terminal; what is on the screen follows from the ``QueryState``.
struct QuerySession {
    let ask: AnswerQuestion
    let console: Console

    /// Runs until the input ends.
    func run(_ lines: AsyncStream<String>) async throws -> ExitCode {
        let conversation = Conversation(startedAt: .now)
        var state = QueryState.idle
        console.progress("Ask about a US state. An empty line tries again after an error; Ctrl-D ends.")
        prompt()
        for await line in lines {
            for event in events(for: line, in: state) {
                guard let next = state.after(event) else { continue }
                state = try await settled(next, in: conversation)
                try show(state)
            }
            prompt()
        }
        try Task.checkCancellation()
        return .done
    }

    /// What a line means: a blank one repeats the question after an error, any other one asks a new question.
    private func events(for line: String, in state: QueryState) -> [QueryState.Event] {
        let isBlank = !line.contains { !$0.isWhitespace }
        guard case .error = state else { return isBlank ? [.reset] : [.submit(line)] }
        return isBlank ? [.retry] : [.reset, .submit(line)]
    }

    private func settled(_ state: QueryState, in conversation: Conversation) async throws -> QueryState {
        guard case .loading(let question) = state else { return state }
        do {
            let answer = try await ask(question, of: TurnID(), in: conversation)
            return state.after(.succeed(answer)) ?? state
        } catch let error as DomainError {
            return state.after(.fail(error)) ?? state
        }
    }

    private func show(_ state: QueryState) throws {
        switch state {
        case .idle, .loading: break
        case .success(let answer):
            try console.show(answer.text)
            try console.emit(AnswerOutput(answer))
        case .error(let error, _): console.report(error)
        }
    }

    private func prompt() {
        try? console.errors.write(console.styled("? ", .cyan))
    }
}
