// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

/// One question after another at a terminal; the screen follows from the ``QueryState``.
struct QuerySession {
    let ask: AnswerQuestion
    let console: Console
    /// The terminal of standard input; nil where its lines are read as they are.
    let terminal: ChatTerminal?
    private let screen: AnswerScreen

    init(ask: AnswerQuestion, console: Console, terminal: ChatTerminal?, map: AnswerMap?) {
        self.ask = ask
        self.console = console
        self.terminal = terminal
        screen = AnswerScreen(console: console, emitsEvents: false, map: map)
    }

    /// Asks until the person ends it. At a terminal lines are edited, and the arrows bring questions back; otherwise
    /// each line of the input is a question.
    func run() async throws -> ExitCode {
        let conversation = OngoingConversation(Conversation(startedAt: .now))
        var state = QueryState.idle
        console.progress(
            "Ask a question; \"what can you do\" says which. An empty line tries again after an error; Ctrl-D ends.")
        guard let terminal else {
            prompt()
            for await line in InputStream().lines() {
                state = try await answer(line, after: state, in: conversation)
                prompt()
            }
            try Task.checkCancellation()
            return .done
        }
        defer { terminal.close() }
        var (known, wasInterrupted): ([String], Bool) = ([], false)
        while let happening = await terminal.line("? ") {
            switch happening {
            case .end: return .done
            case .clearScreen: break
            case .interrupt(let wasEmpty):
                if wasEmpty, wasInterrupted { return .done }
                wasInterrupted = true
                console.progress("Ctrl-C again, or Ctrl-D, ends.", .muted)
            case .line(let line):
                wasInterrupted = false
                if line.contains(where: { !$0.isWhitespace }), known.last != line { known.append(line) }
                terminal.remember(known)
                state = try await answer(line, after: state, in: conversation)
            }
        }
        try Task.checkCancellation()
        return .done
    }

    private func answer(
        _ line: String, after earlier: QueryState, in conversation: OngoingConversation
    ) async throws -> QueryState {
        var state = earlier
        for event in events(for: line, in: state) {
            guard let next = state.after(event) else { continue }
            state = try await settled(next, in: conversation)
            try show(state)
        }
        return state
    }

    /// The meaning of a line: a blank one repeats the question after an error, any other one asks a new question.
    private func events(for line: String, in state: QueryState) -> [QueryState.Event] {
        let isBlank = !line.contains { !$0.isWhitespace }
        guard case .error = state else { return isBlank ? [.reset] : [.submit(line)] }
        return isBlank ? [.retry] : [.reset, .submit(line)]
    }

    private func settled(_ state: QueryState, in conversation: OngoingConversation) async throws -> QueryState {
        guard case .loading(let question) = state else { return state }
        do {
            let answer = try await answer(to: question, in: conversation)
            return state.after(.succeed(answer)) ?? state
        } catch let error as DomainError {
            return state.after(.fail(error)) ?? state
        } catch is CancellationError where !Task.isCancelled {
            try screen.end()
            console.progress("Stopped.", .muted)
            return .idle
        } catch {
            if error is CancellationError || error is OutputStream.Closed { throw error }
            // A key that is wrong, a model's refusal: the next question may be another part's.
            try screen.end()
            console.report(error)
            return .idle
        }
    }

    private func answer(
        to question: String, in conversation: OngoingConversation
    ) async throws -> AssistantAnswer {
        let body = { @Sendable [ask, screen] in
            try await ask(question, of: TurnID(), in: conversation, report: screen.show)
        }
        guard let terminal else { return try await body() }
        return try await terminal.interruptibly(body)
    }

    private func show(_ state: QueryState) throws {
        switch state {
        case .idle, .loading: break
        case .success(let answer):
            try screen.end(answer)
            try console.emit(AnswerOutput(answer))
        case .error(let error, _):
            try screen.end()
            console.report(
                QuestionNotKept(error, remedy: "parley ask --later keeps questions until the model is back.") ?? error)
        }
    }

    private func prompt() {
        try? console.errors.write(console.styled("? ", .accent))
    }
}
