// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import FoundationEssentials

/// Shows the events of a chat: the answer on standard output, as styled Markdown on a terminal with colours; tool calls
/// and notices on standard error; in JSON mode an event a line.
final class ChatScreen: Sendable {
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
    private let state = Guarded(State())

    init(console: Console) {
        self.console = console
        status = StatusLine(console: console)
        isStyled = console.traits.hasColors && !console.isJSON
    }

    /// Shows an event.
    func show(_ event: ChatEvent) throws {
        try state.withLock { state in
            switch event {
            case .text(let text): try show(text, &state)
            case .startingServers(let names):
                try finish(&state)
                state.isStarting = !names.isEmpty
                if names.isEmpty { status.clear() } else { status.show(ChatEvent.starting(names)) }
            case .toolStarted(let call):
                try finish(&state)
                state.running.append(call.name)
                showRunning(state)
            case .toolEnded(let call, let result, let duration):
                try finish(&state)
                if !console.isJSON { say(Self.line(call, result, duration), state) }
                if let place = state.running.firstIndex(of: call.name) { state.running.remove(at: place) }
                showRunning(state)
            case .toolDenied(let call, _, let reason):
                try finish(&state)
                if !console.isJSON { say(ChatEvent.denial(call, reason: reason), state) }
            case .notice(let text):
                try finish(&state)
                if !console.isJSON { say(text, state) }
            }
            if let output = ToolOutput(event) { try console.emit(output) }
        }
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
        console.progress(console.styled(ModelText.shown(text), .dim))
    }

    /// Shows the status line only while tools run: clearing it would clear the answer's own line, too.
    private func showRunning(_ state: State) {
        if !state.running.isEmpty { status.show("Waiting for \(state.running.joined(separator: ", ")) …") }
    }

    private func show(_ text: String, _ state: inout State) throws {
        state.answer += text
        if console.isJSON { return try console.emit(["event": "delta", "text": text]) }
        guard isStyled else {
            let shown = ModelText.shown(text)
            if let last = shown.unicodeScalars.last { state.endsWithLineFeed = last == "\n" }
            return try console.output.write(shown)
        }
        var renderer =
            state.renderer
            ?? MarkdownRenderer(width: (console.output.columns ?? 80) - 1, hasUnicode: console.traits.hasUnicode)
        let output = renderer.feed(text)
        state.renderer = renderer
        if !output.isEmpty { try console.output.write(output) }
    }

    /// Ends the line that is being written.
    private func finish(_ state: inout State) throws {
        if var renderer = state.renderer {
            state.renderer = nil
            try console.output.write(renderer.finish())
        } else if !state.endsWithLineFeed {
            state.endsWithLineFeed = true
            try console.output.write("\n")
        }
    }

    /// "add(a: 1, b: 2) → 3 (12 ms)".
    private static func line(_ call: ToolCall, _ result: ToolResult, _ duration: Duration) -> String {
        let arguments = ToolArguments.short(call.arguments, limit: 60)
        let output = ModelText.short(result.output, limit: result.isError ? 160 : 60)
        let sign = result.isError ? "failed: " : "→ "
        return "\(ModelText.short(call.name, limit: 64))(\(arguments)) \(sign)\(output) (\(duration.words))"
    }
}

/// The arguments of a call, for a person.
enum ToolArguments {
    /// `a: 1, b: "x"` of an object; the text itself of anything else.
    static func short(_ json: String, limit: Int) -> String {
        guard let object = (try? JSONValue(parsing: json))?.object else { return ModelText.short(json, limit: limit) }
        let text = object.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ")
        return ModelText.short(text, limit: limit)
    }
}

extension Duration {
    /// "12 ms", "3.4 s".
    fileprivate var words: String {
        let milliseconds = milliseconds
        if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 100).rounded() / 10) s"
    }
}
