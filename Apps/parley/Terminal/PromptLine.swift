// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import TerminalKit

/// A line at the bottom of the terminal with a prompt that changes while a person types behind it. Without a terminal
/// to show it, the lines of standard input as they arrive.
final class PromptLine: Sendable {
    private struct State {
        var prompt = ""
        var decoder = PromptKeyDecoder()
        var editor = PromptEditor()
        var settings: termios?
    }

    /// True if a person types the input.
    let isTyped: Bool
    private let console: Console
    private let line: StatusLine
    private let input = InputStream()
    private let isShown: Bool
    private let state: Guarded<State>

    /// Makes a line on standard error. Until ``close()`` the terminal shows only this object's output.
    init(console: Console) {
        self.console = console
        line = StatusLine(console: console)
        isTyped = input.isTerminal
        var settings = termios()
        isShown = isTyped && line.isShown && tcgetattr(0, &settings) == 0
        state = Guarded(State(settings: isShown ? settings : nil))
        guard isShown else { return }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &settings)
    }

    deinit { close() }

    /// Shows another prompt.
    func show(_ prompt: String) {
        guard isShown else { return announce(prompt) }
        state.withLock { state in
            guard state.settings != nil, state.prompt != prompt else { return }
            state.prompt = prompt
            draw(state)
        }
    }

    /// Writes the first prompt, and the first one behind a text, where the terminal edits the line itself.
    private func announce(_ prompt: String) {
        guard isTyped else { return }
        state.withLock { state in
            guard state.prompt.isEmpty else { return }
            state.prompt = prompt
            line.announce(prompt)
        }
    }

    /// Writes a text above the line, which ``show(_:)`` draws again; in JSON mode it writes nothing, since events have
    /// the text.
    func say(_ text: String) {
        guard !console.isJSON else { return }
        state.withLock { state in
            line.clear()
            console.progress(verbatim: text)
            // The caller shows a prompt afterwards.
            state.prompt = ""
        }
    }

    /// Calls `take` with each line, and with nil at the end, until the task is cancelled.
    func read(_ take: @Sendable (String?) -> Void) async {
        guard isShown else {
            for await line in input.lines() { take(line) }
            return take(nil)
        }
        for await chunk in input.chunks() {
            let happenings = state.withLock { state in
                let happenings = Self.feed(chunk, &state.decoder, &state.editor)
                draw(state)
                return happenings
            }
            for happening in happenings {
                switch happening {
                case .line(let text): take(text)
                case .end: take(nil)
                case .interrupt, .clearScreen: break
                }
            }
        }
        take(nil)
    }

    /// Removes the line, and restores the terminal.
    func close() {
        state.withLock { state in
            guard var settings = state.settings else { return }
            line.clear()
            tcsetattr(0, TCSADRAIN, &settings)
            state.settings = nil
        }
    }

    /// Draws the line; of a text that is too long the end is shown.
    private func draw(_ state: State) {
        guard state.settings != nil else { return }
        let room = (console.errors.columns ?? 80) - 1 - state.prompt.columns
        line.show(state.prompt + Self.end(of: state.editor.line, in: room))
    }

    /// Takes bytes for a line whose cursor stays at its end: other keys are ignored, and a line break ends it.
    static func feed(
        _ bytes: [UInt8], _ decoder: inout PromptKeyDecoder, _ editor: inout PromptEditor
    ) -> [PromptEditor.Happening] {
        decoder.feed(bytes).compactMap { key in
            switch key {
            case .enter, .lineBreak: editor.take(.enter)
            case .character, .paste, .backspace, .deleteWord, .deleteToStart, .endOfInput: editor.take(key)
            default: nil
            }
        }
    }

    /// The longest end of a text that fits into the columns; fewer than 8 count as 8.
    static func end(of text: String, in columns: Int) -> String {
        var rest = max(8, columns)
        let end = text.reversed().prefix { character in
            rest -= String(character).columns
            return rest >= 0
        }
        return String(end.reversed())
    }
}
