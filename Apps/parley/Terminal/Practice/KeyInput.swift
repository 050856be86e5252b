// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// The keys that a person presses.
enum Key: Equatable, Sendable {
    /// A letter, a digit or another character, in lower case.
    case character(Character)
    /// Enter.
    case enter
    /// The end of input: Ctrl-D.
    case end
}

/// Single keys of a terminal, without Enter behind them. If standard input is no terminal, the first character of each
/// line.
final class KeyInput: Sendable {
    /// A key, and the number of questions that had been shown when it was pressed.
    struct Press: Sendable {
        let key: Key
        let question: Int
    }

    private let input = InputStream()
    private let typed: TypedInput?
    private let settings: Guarded<termios?>
    /// The last question: earlier keys do not answer it.
    private let question = Question()

    /// Changes the terminal's settings until ``close()``. Ctrl-C remains an interruption.
    init() {
        var settings = termios()
        guard input.isTerminal, tcgetattr(0, &settings) == 0 else {
            self.settings = Guarded(nil)
            typed = nil
            return
        }
        self.settings = Guarded(settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &settings)
        typed = TypedInput()
    }

    deinit { close() }

    /// The keys as they arrive, without those typed before the last ``dropTypeAhead()``. Unread keys are kept.
    var keys: AsyncStream<Key> {
        let taken = Taken(presses)
        return AsyncStream { [question] in
            while let press = await taken.next() {
                if press.question >= question.number.withLock({ $0 }) { return press.key }
            }
            return nil
        }
    }

    /// True if a person types the keys.
    var isTyped: Bool { settings.withLock { $0 != nil } }

    /// Drops all keys that were typed so far, also unread ones.
    func dropTypeAhead() {
        ask { number in question.number.withLock { $0 = number } }
    }

    /// The keys as they arrive, each with the question that it may answer.
    var presses: AsyncStream<Press> {
        let (presses, entry) = AsyncStream<Press>.makeStream()
        let reading = Task { [input, typed] in
            var question = 0
            if let typed {
                for await chunk in typed.chunks {
                    question = chunk.question
                    for key in Self.keys(of: chunk.bytes) { entry.yield(Press(key: key, question: question)) }
                }
            } else {
                for await line in input.lines() { entry.yield(Press(key: Self.key(of: line), question: 0)) }
            }
            entry.yield(Press(key: .end, question: question))
        }
        entry.onTermination = { _ in reading.cancel() }
        return presses
    }

    /// Shows a question that only keys pressed from now on answer.
    ///
    /// - Parameter show: Receives the question's number.
    func ask(_ show: (_ number: Int) -> Void) {
        if let typed { typed.ask(show) } else { show(0) }
    }

    /// Restores the terminal.
    func close() {
        typed?.close()
        settings.withLock { settings in
            guard var before = settings else { return }
            tcsetattr(0, TCSADRAIN, &before)
            settings = nil
        }
    }

    private final class Question: Sendable {
        let number = Guarded(0)
    }

    private actor Taken {
        private let presses: AsyncStream<Press>

        init(_ presses: AsyncStream<Press>) { self.presses = presses }

        func next() async -> Press? {
            for await press in presses { return press }
            return nil
        }
    }

    /// The keys in bytes that arrived together. Arrows and other sequences that begin with escape are ignored.
    static func keys(of bytes: [UInt8]) -> [Key] {
        guard bytes.first != 0x1B else { return [] }
        return String(decoding: bytes, as: UTF8.self).compactMap { character in
            switch character {
            case "\r", "\n", "\r\n": .enter
            case "\u{4}": .end
            default: character.isWhitespace && character != " " ? nil : character.lowercased().first.map(Key.character)
            }
        }
    }

    static func key(of line: String) -> Key { line.lowercased().first.map(Key.character) ?? .enter }
}
