// SPDX-License-Identifier: MIT

import Localization
import TerminalKit

/// Asks for consent at a terminal.
struct ConsentPrompter: Sendable {
    /// The terminal's columns and rows.
    let size: @Sendable () -> (columns: Int, rows: Int)
    /// Shows a text, a line or several.
    let show: @Sendable (String) -> Void
    /// Asks for a line that is typed after the prompt was shown; nil at the end of the input.
    let answer: @Sendable (_ prompt: String) async throws -> String?
    /// Keeps a text that is no answer.
    var keep: @Sendable (String) -> Void = { _ in }
    /// Shows the question in the person's language.
    var translator = Translator.english

    /// Asks until there is an answer. The end of the input counts as "no".
    func ask(_ request: ConsentRequest) async throws -> ConsentAnswer {
        let (columns, rows) = size()
        var dialog = ConsentDialog(request, columns: columns, rows: rows, translator: translator)
        var turn = dialog.begin()
        while true {
            if !turn.lines.isEmpty { show(turn.lines.joined(separator: "\n")) }
            if let kept = turn.kept { keep(kept) }
            guard let line = try await answer(turn.prompt) else { return .no }
            switch dialog.take(line) {
            case .turn(let next): turn = next
            case .answer(let answer): return answer
            }
        }
    }
}

extension ConsentPrompter {
    /// Asks at a terminal that edits lines itself; nil where a person would not see the question.
    init?(console: Console) {
        let screen = console.errors.isTerminal ? console.errors : console.output
        guard InputStream().isTerminal, screen.isTerminal else { return nil }
        self.init(
            size: { (screen.columns ?? 80, screen.rows ?? 24) },
            show: { try? screen.write($0.drawable(withColors: false) + "\n") },
            answer: { prompt in
                let input = TypedInput()
                defer { input.close() }
                return try await Self.line(from: input) { try? screen.write(prompt) }
            }, translator: console.translator)
    }

    /// Asks at the terminal of a conversation.
    init(_ terminal: ChatTerminal, translator: Translator) {
        self.init(
            size: { terminal.size }, show: { terminal.say($0) },
            answer: { prompt in
                switch await terminal.answer(to: prompt) {
                case .line(let answer)?: return answer
                case .interrupt?: throw CancellationError()
                case .end?, .clearScreen?, nil:
                    try Task.checkCancellation()
                    return nil
                }
            }, keep: { terminal.keep($0) }, translator: translator)
    }

    /// A line that is typed after `show` has shown the question.
    static func line(from input: TypedInput, _ show: () -> Void) async throws -> String? {
        var number = 0
        input.ask {
            number = $0
            show()
        }
        var bytes: [UInt8] = []
        for await chunk in input.chunks where chunk.question >= number {
            bytes += chunk.bytes
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
        }
        try Task.checkCancellation()
        return nil
    }
}
