// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import TerminalKit

/// Shows answers as they grow: the text on standard output, as styled Markdown on a terminal with colours; tool calls and
/// notices on standard error; in JSON mode an event a line, or nothing but what the caller shows at the end.
final class AnswerScreen: Sendable {
    private struct State {
        var renderer: MarkdownRenderer?
        var endsWithLineFeed = true
        var answer = ""
        /// The names of the running tools, for the status line.
        var running: [String] = []
        /// True if the status line names servers that start.
        var isStarting = false
    }

    private let console: Console
    private let status: StatusLine
    private let isStyled: Bool
    private let emitsEvents: Bool
    private let map: AnswerMap?
    private let state = Guarded(State())

    /// - Parameters:
    ///   - emitsEvents: False for JSON without events.
    ///   - map: Draws states beside answers; nil draws none.
    init(console: Console, emitsEvents: Bool = true, map: AnswerMap? = nil) {
        self.console = console
        self.map = map
        self.emitsEvents = emitsEvents
        status = StatusLine(console: console)
        isStyled = console.traits.hasColors && !console.isJSON
    }

    /// Shows an event.
    func show(_ event: AnswerEvent) async throws {
        guard emitsEvents || !console.isJSON else { return }
        try state.withLock { state in
            switch event {
            case .delta(let text): try show(text, &state)
            case .starting(let names):
                try finish(&state)
                state.isStarting = !names.isEmpty
                if names.isEmpty {
                    status.clear()
                } else {
                    status.announce(console.text(AnswerEventText.starting(names)))
                }
            case .toolCalled(let use):
                try finish(&state)
                state.running.append(use.name)
                showRunning(state)
            case .toolReturned(let use, let output, let isError, let duration):
                try finish(&state)
                if !console.isJSON {
                    say(console.text(AnswerEventText.result(use, output, isError: isError, took: duration)), state)
                }
                ended(use, &state)
            case .toolRefused(let use, let refusal):
                try finish(&state)
                if !console.isJSON { say(console.text(AnswerEventText.refusal(use, refusal)), state) }
                ended(use, &state)
            case .notice(let notice):
                try finish(&state)
                if !console.isJSON { say(console.text(notice.sentence), state) }
            case .attached: break
            case .unavailable(_, let error):
                try finish(&state)
                if !console.isJSON { say(console.text(error.unavailableText), state) }
            case .available:
                try finish(&state)
                if !console.isJSON { say(console.text(AnswerEventText.available), state) }
            }
            if let output = ToolOutput(event) { try console.emit(output) }
        }
    }

    /// Ends an answer that came: shows it if nothing of it was shown yet.
    func end(_ answer: AssistantAnswer) throws {
        guard try end().isEmpty, !answer.text.isEmpty else { return }
        let text = answer.source.isForeign ? ForeignText.shown(answer.text) : answer.text
        try console.show(map?.beside(text, answer.states) ?? text)
    }

    private func ended(_ use: ToolUse, _ state: inout State) {
        if let place = state.running.firstIndex(of: use.name) { state.running.remove(at: place) }
        showRunning(state)
    }

    /// Ends the answer, whole or not: writes the rest and returns the answer.
    @discardableResult
    func end() throws -> String {
        try state.withLock { state in
            if !state.running.isEmpty || state.isStarting { status.clear() }
            (state.running, state.isStarting) = ([], false)
            try finish(&state)
            defer { state.answer = "" }
            return state.answer
        }
    }

    /// Shows a text beside the answer.
    private func say(_ text: String, _ state: State) {
        if !state.running.isEmpty { status.clear() }
        console.progress(verbatim: console.styled(ForeignText.shown(text), .muted))
    }

    /// Shows the status line only while tools run: clearing it would clear the answer's own line, too.
    private func showRunning(_ state: State) {
        guard !state.running.isEmpty else { return }
        status.announce(console.text("Waiting for \(state.running.joined(separator: ", ").printable) …"))
    }

    private func show(_ text: String, _ state: inout State) throws {
        state.answer += text
        if console.isJSON { return try console.emit(["event": "delta", "text": text]) }
        guard isStyled else {
            let shown = ForeignText.shown(text)
            if let last = shown.unicodeScalars.last { state.endsWithLineFeed = last == "\n" }
            return try console.output.write(shown)
        }
        let width = (console.output.columns ?? 80) - 1
        var renderer = state.renderer ?? MarkdownRenderer(width: width, theme: console.traits.theme)
        renderer.resize(width: width)
        let output = renderer.feed(text)
        state.renderer = renderer
        if !output.isEmpty { try console.output.write(output) }
    }

    /// Ends the line that is being written.
    private func finish(_ state: inout State) throws {
        if var renderer = state.renderer {
            state.renderer = nil
            renderer.resize(width: (console.output.columns ?? 80) - 1)
            try console.output.write(renderer.finish())
        } else if !state.endsWithLineFeed {
            state.endsWithLineFeed = true
            try console.output.write("\n")
        }
    }
}

extension AnswerSource {
    /// True if the words are no words of this program.
    fileprivate var isForeign: Bool { if case .model = self { true } else { false } }
}
