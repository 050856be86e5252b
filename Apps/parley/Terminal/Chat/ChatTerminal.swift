// SPDX-License-Identifier: MIT

import Diagnostics
import Glibc

/// The keyboard and the prompt of a chat at a terminal. Between prompts, what is typed is kept, and Ctrl-C is told at once.
///
/// Until ``close()`` the terminal sends keys as they are pressed, Ctrl-C among them, so that it is no signal.
final class ChatTerminal: Sendable {
    private struct State {
        var settings: termios?
        var decoder = PromptKeyDecoder()
        var editor = PromptEditor()
        var prompt = ""
        var picture: PromptPicture?
        /// Who waits for a line.
        var waiter: CheckedContinuation<PromptEditor.Happening?, Never>?
        /// Who waited before and goes on waiting: a question came in between.
        var outer:
            [(waiter: CheckedContinuation<PromptEditor.Happening?, Never>, prompt: String, editor: PromptEditor)] =
                []
        /// What was typed while nobody waited.
        var ahead: [PromptKey] = []
        var onInterrupt: (@Sendable () -> Void)?
        var isEnded = false
    }

    private static let aheadLimit = 10_000
    private static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff = "\u{1B}[?2004l"

    private let output: OutputStream
    private let input: InputStream
    private let reader = Guarded<Task<Void, Never>?>(nil)
    private let state = Guarded(State())

    /// The terminal that standard input is; `nil` if it is none.
    init?(console: Console) {
        input = InputStream()
        output = console.errors.isTerminal ? console.errors : console.output
        var settings = termios()
        guard input.isTerminal, output.isTerminal, tcgetattr(0, &settings) == 0 else { return nil }
        state.withLock { $0.settings = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(0, TCSANOW, &settings)
        try? output.write(Self.pasteOn)
        let task = Task { [weak self, input] in
            for await chunk in input.chunks() { self?.take(chunk) }
            self?.end()
        }
        reader.withLock { $0 = task }
    }

    deinit { close() }

    /// What was typed before, for the arrows.
    func remember(_ lines: [String]) { state.withLock { $0.editor.history = lines } }

    /// Asks for a line.
    ///
    /// - Returns: `nil` when the terminal is gone, or the task is cancelled.
    func line(_ prompt: String) async -> PromptEditor.Happening? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    guard !state.isEnded, !Task.isCancelled else { return continuation.resume(returning: nil) }
                    if let waiter = state.waiter {
                        if let picture = state.picture { try? output.write(PromptPicture.cleared(picture)) }
                        state.picture = nil
                        state.outer.append((waiter, state.prompt, state.editor))
                        state.editor = PromptEditor()
                    }
                    state.prompt = prompt
                    state.waiter = continuation
                    let ahead = state.ahead
                    state.ahead = []
                    for (index, key) in ahead.enumerated() where state.waiter != nil {
                        press(key, &state)
                        if state.waiter == nil { state.ahead = Array(ahead[(index + 1)...]) }
                    }
                    draw(&state)
                }
            }
        } onCancel: {
            state.withLock { answerAll(&$0) }
        }
    }

    /// Shows a line above the prompt.
    func say(_ text: String) {
        state.withLock { state in
            if let picture = state.picture { try? output.write(PromptPicture.cleared(picture)) }
            state.picture = nil
            try? output.write(text + "\n")
            draw(&state)
        }
    }

    /// Shows another prompt before what is being typed.
    func show(prompt: String) {
        state.withLock { state in
            guard state.outer.isEmpty else { return }
            state.prompt = prompt
            draw(&state)
        }
    }

    /// Does something during which Ctrl-C calls `onInterrupt`.
    func whileBusy<Value>(
        onInterrupt: @escaping @Sendable () -> Void, _ body: () async throws -> Value
    ) async rethrows -> Value {
        state.withLock { $0.onInterrupt = onInterrupt }
        defer { state.withLock { $0.onInterrupt = nil } }
        return try await body()
    }

    /// Gives the terminal back.
    func close() {
        reader.withLock { $0?.cancel() }
        state.withLock { state in
            guard var settings = state.settings else { return }
            answerAll(&state)
            state.settings = nil
            try? output.write(Self.pasteOff)
            tcsetattr(0, TCSADRAIN, &settings)
        }
    }

    private func end() {
        state.withLock { state in
            state.isEnded = true
            state.onInterrupt?()
            answerAll(&state)
        }
    }

    private func take(_ bytes: [UInt8]) {
        state.withLock { state in
            for key in state.decoder.feed(bytes) { arrived(key, &state) }
            draw(&state)
        }
    }

    private func arrived(_ key: PromptKey, _ state: inout State) {
        if state.waiter != nil { return press(key, &state) }
        if key == .interrupt {
            state.ahead = []
            state.onInterrupt?()
        } else if state.ahead.count < Self.aheadLimit {
            state.ahead.append(key)
        }
    }

    private func press(_ key: PromptKey, _ state: inout State) {
        guard let happening = state.editor.take(key) else { return }
        if happening == .clearScreen {
            try? output.write("\u{1B}[2J\u{1B}[H")
            state.picture = nil
        } else {
            // What was typed stays on the screen.
            if case .line(let text) = happening { draw(&state, showing: text) }
            answer(happening, &state)
        }
    }

    private func answer(_ happening: PromptEditor.Happening?, _ state: inout State) {
        guard let waiter = state.waiter else { return }
        state.waiter = nil
        if let picture = state.picture { try? output.write(picture.left) }
        state.picture = nil
        waiter.resume(returning: happening)
        guard let outer = state.outer.popLast() else { return }
        (state.waiter, state.prompt, state.editor) = (outer.waiter, outer.prompt, outer.editor)
        draw(&state)
    }

    private func answerAll(_ state: inout State) {
        while state.waiter != nil { answer(nil, &state) }
    }

    private func draw(_ state: inout State, showing text: String? = nil) {
        guard state.waiter != nil, state.settings != nil else { return }
        let shown = text.map { Array($0) } ?? state.editor.text
        let picture = PromptPicture(
            prompt: state.prompt, text: shown, cursor: text == nil ? state.editor.cursor : shown.count,
            width: output.columns ?? 80, height: max(1, (output.rows ?? 24) - 1))
        guard picture != state.picture else { return }
        try? output.write(picture.drawn(over: state.picture))
        state.picture = picture
    }
}

extension OutputStream {
    /// The terminal's height in rows; `nil` when it is no terminal.
    fileprivate var rows: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }
}
