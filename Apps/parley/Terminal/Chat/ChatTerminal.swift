// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import TerminalKit

/// The keyboard and the prompt of a chat at a terminal. Between prompts, typed keys are kept, and Ctrl-C is reported at
/// once.
///
/// Until ``close()`` the terminal sends single keys, Ctrl-C among them, so that it is no signal.
final class ChatTerminal: Sendable {
    private typealias Waiter = CheckedContinuation<PromptEditor.Happening?, Never>

    private struct Question {
        let number: Int
        let prompt: String
        let waiter: Waiter
        var editor = PromptEditor()
    }

    private struct State {
        var settings: termios?
        var decoder = PromptKeyDecoder()
        var editor = PromptEditor()
        var prompt = ""
        var picture: PromptPicture?
        /// The prompt in place of the picture where nothing is written anew.
        var plain: StaticPrompt?
        /// The caller that waits for a line.
        var waiter: Waiter?
        /// A question that interrupts the line. The line continues after it.
        var question: Question?
        /// Lines that were typed while no caller waited.
        var ahead: [PromptKey] = []
        var onInterrupt: (@Sendable () -> Void)?
        var isEnded = false
        /// The calls that ``update(_:)`` makes without the lock.
        var calls: [@Sendable () -> Void] = []

        mutating func wake(_ waiter: Waiter, with happening: PromptEditor.Happening?) {
            calls.append { waiter.resume(returning: happening) }
        }
    }

    private static let aheadLimit = 10_000

    private let output: OutputStream
    private let canRedraw: Bool
    private let input: TypedInput
    private let reader = Guarded<Task<Void, Never>?>(nil)
    private let state = Guarded(State())

    /// The terminal of standard input; `nil` for a pipe or a file.
    init?(console: Console) {
        output = console.errors.isTerminal ? console.errors : console.output
        canRedraw = console.traits.canRedraw
        var settings = termios()
        guard isatty(0) == 1, output.isTerminal, tcgetattr(0, &settings) == 0 else { return nil }
        state.withLock { $0.settings = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(0, TCSANOW, &settings)
        if canRedraw { try? output.write(ControlSequence.pasteOn) }
        // The input starts after the settings: lines that the terminal edited are no keys.
        let input = TypedInput()
        self.input = input
        let task = Task { [weak self] in
            for await chunk in input.chunks { self?.take(chunk) }
            self?.end()
        }
        reader.withLock { $0 = task }
    }

    deinit { close() }

    /// Changes the state. The lock is free again when callers are resumed and work is interrupted: both may run handlers of
    /// cancellation, and those take the lock.
    private func update(_ change: (inout State) -> Void) {
        let calls = state.withLock { state in
            change(&state)
            defer { state.calls = [] }
            return state.calls
        }
        for call in calls { call() }
    }

    /// Earlier inputs, for the arrow keys.
    func remember(_ lines: [String]) { state.withLock { $0.editor.history = lines } }

    /// Asks for a line.
    ///
    /// - Returns: `nil` if the terminal is closed, or the task is cancelled.
    func line(_ prompt: String) async -> PromptEditor.Happening? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state in
                    guard !state.isEnded, !Task.isCancelled else { return state.wake(continuation, with: nil) }
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
            update { answer(nil, &$0) }
        }
    }

    /// Asks a question that only keys typed from now on can answer. Earlier keys are kept for the next line, and a line
    /// that is being typed continues afterwards. A new question ends a waiting one with `nil`.
    ///
    /// - Returns: `nil` if the terminal is closed, or the task is cancelled.
    func answer(to prompt: String) async -> PromptEditor.Happening? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                input.ask { number in
                    update { state in
                        guard !state.isEnded, !Task.isCancelled else {
                            return state.wake(continuation, with: nil)
                        }
                        settle(nil, &state)
                        clear(&state)
                        // A prompt of more than half the width gets a line of its own.
                        let isLong = prompt.columns > (output.columns ?? 80) / 2
                        if isLong { try? output.write(prompt.drawable(withColors: false) + "\n") }
                        state.question = Question(number: number, prompt: isLong ? "> " : prompt, waiter: continuation)
                        draw(&state)
                    }
                }
            }
        } onCancel: {
            update { settle(nil, &$0) }
        }
    }

    /// Puts a text into the next typed line.
    func keep(_ text: String) {
        update { state in
            if state.waiter != nil { press(.paste(text), &state) } else { state.ahead.append(.paste(text)) }
        }
    }

    /// The terminal's columns and rows.
    var size: (columns: Int, rows: Int) { (output.columns ?? 80, output.rows ?? 24) }

    /// Shows a text above the prompt.
    func say(_ text: String) {
        state.withLock { state in
            clear(&state)
            try? output.write(text.drawable(withColors: true) + "\n")
            draw(&state)
        }
    }

    /// Shows another prompt before the line that is being typed.
    func show(prompt: String) {
        state.withLock { state in
            state.prompt = prompt
            draw(&state)
        }
    }

    /// Runs `body`, which Ctrl-C or the end of this task cancels.
    func interruptibly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        state.withLock { $0.onInterrupt = { task.cancel() } }
        defer { state.withLock { $0.onInterrupt = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Restores the terminal.
    func close() {
        reader.withLock { $0 }?.cancel()
        input.close()
        update { state in
            guard var settings = state.settings else { return }
            settle(nil, &state)
            answer(nil, &state)
            state.settings = nil
            if canRedraw { try? output.write(ControlSequence.pasteOff) }
            tcsetattr(0, TCSADRAIN, &settings)
        }
    }

    private func end() {
        update { state in
            state.isEnded = true
            if let interrupt = state.onInterrupt { state.calls.append(interrupt) }
            settle(nil, &state)
            answer(nil, &state)
        }
    }

    private func take(_ chunk: TypedInput.Chunk) {
        update { state in
            for key in state.decoder.feed(chunk.bytes) { arrived(key, after: chunk.question, &state) }
            draw(&state)
        }
    }

    private func arrived(_ key: PromptKey, after question: Int, _ state: inout State) {
        if let number = state.question?.number, question >= number { return pressForQuestion(key, &state) }
        if state.waiter != nil { return press(key, &state) }
        if key == .interrupt {
            state.ahead = []
            if let interrupt = state.onInterrupt { state.calls.append(interrupt) }
        } else if state.ahead.count < Self.aheadLimit {
            state.ahead.append(key)
        }
    }

    private func press(_ key: PromptKey, _ state: inout State) {
        guard let happening = state.editor.take(key) else { return }
        if happening == .clearScreen { return clearScreen(&state) }
        // The typed line stays on the screen.
        if case .line(let text) = happening, state.question == nil { draw(&state, showing: text) }
        answer(happening, &state)
    }

    private func pressForQuestion(_ key: PromptKey, _ state: inout State) {
        guard let happening = state.question?.editor.take(key) else { return }
        if happening == .clearScreen { return clearScreen(&state) }
        if case .line(let text) = happening { draw(&state, showing: text) }
        settle(happening, &state)
        draw(&state)
    }

    private func clearScreen(_ state: inout State) {
        if canRedraw { try? output.write(ControlSequence.clearScreen) } else { leave(&state) }
        state.picture = nil
    }

    /// Ends the wait for a line.
    private func answer(_ happening: PromptEditor.Happening?, _ state: inout State) {
        guard let waiter = state.waiter else { return }
        state.waiter = nil
        if state.question == nil { leave(&state) }
        state.wake(waiter, with: happening)
    }

    /// Ends the wait for the answer to a question.
    private func settle(_ happening: PromptEditor.Happening?, _ state: inout State) {
        guard let question = state.question else { return }
        leave(&state)
        state.question = nil
        state.wake(question.waiter, with: happening)
    }

    /// Moves the cursor to the line below the drawn rows.
    private func leave(_ state: inout State) {
        if let picture = state.picture { try? output.write(picture.left) }
        if state.plain != nil { try? output.write("\r\n") }
        (state.picture, state.plain) = (nil, nil)
    }

    private func clear(_ state: inout State) {
        guard let picture = state.picture else { return leave(&state) }
        try? output.write(PromptPicture.cleared(picture))
        state.picture = nil
    }

    private func draw(_ state: inout State, showing text: String? = nil) {
        guard state.question != nil || state.waiter != nil, state.settings != nil else { return }
        let editor = state.question?.editor ?? state.editor
        let shown = text.map { Array($0) } ?? editor.text
        let prompt = state.question?.prompt ?? state.prompt
        let cursor = text == nil ? editor.cursor : shown.count
        guard canRedraw else { return add(prompt, shown, cursor, &state) }
        let picture = PromptPicture(
            prompt: prompt, text: shown, cursor: cursor, width: output.columns ?? 80,
            height: max(1, (output.rows ?? 24) - 1))
        guard picture != state.picture else { return }
        try? output.write(picture.drawn(over: state.picture))
        state.picture = picture
    }

    /// Adds to the line what has changed.
    private func add(_ prompt: String, _ text: [Character], _ cursor: Int, _ state: inout State) {
        let change = state.plain?.show(prompt: prompt, text: text, cursor: cursor)
        let plain =
            state.plain ?? StaticPrompt(prompt: prompt, text: text, cursor: cursor, width: output.columns ?? 80)
        state.plain = plain
        try? output.write(change ?? plain.start)
    }
}
