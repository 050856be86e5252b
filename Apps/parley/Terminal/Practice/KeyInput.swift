// SPDX-License-Identifier: MIT

import Diagnostics
import Glibc

/// What a person presses.
enum Key: Equatable, Sendable {
    /// A letter, a digit or another character, in lower case.
    case character(Character)
    /// Enter.
    case enter
    /// The end of input: Ctrl-D.
    case end
}

/// Single keys of a terminal, without Enter behind them. Where standard input is no terminal, the first character of each line.
final class KeyInput: Sendable {
    private let input = InputStream()
    private let settings: Guarded<termios?>
    /// Grows with each question: what was typed before one is not its answer.
    private let question = Question()

    /// Takes the terminal over until ``close()``. Ctrl-C is still an interruption.
    init() {
        var settings = termios()
        guard input.isTerminal, tcgetattr(0, &settings) == 0 else {
            self.settings = Guarded(nil)
            return
        }
        self.settings = Guarded(settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(0, TCSANOW, &settings)
    }

    deinit { close() }

    /// The keys, as they come. What nobody takes is kept.
    var keys: AsyncStream<Key> {
        let (typed, entry) = AsyncStream<(key: Key, question: Int)>.makeStream()
        let isRaw = settings.withLock { $0 != nil }
        let reading = Task { [input, question] in
            if isRaw {
                for await chunk in input.chunks() {
                    let number = question.number.withLock { $0 }
                    for key in Self.keys(of: chunk) { entry.yield((key, number)) }
                }
            } else {
                for await line in input.lines() { entry.yield((Self.key(of: line), .max)) }
            }
            entry.yield((.end, .max))
        }
        entry.onTermination = { _ in reading.cancel() }
        let taken = Taken(typed)
        return AsyncStream { [question] in
            while let (key, number) = await taken.next() {
                if number >= question.number.withLock({ $0 }) { return key }
            }
            return nil
        }
    }

    /// True if a person types the keys.
    var isTyped: Bool { settings.withLock { $0 != nil } }

    /// Drops what was typed so far, also what nobody has taken yet.
    func dropTypeAhead() {
        question.number.withLock { $0 += 1 }
        tcflush(0, TCIFLUSH)
    }

    /// Gives the terminal back.
    func close() {
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
        private let keys: AsyncStream<(key: Key, question: Int)>

        init(_ keys: AsyncStream<(key: Key, question: Int)>) { self.keys = keys }

        func next() async -> (key: Key, question: Int)? {
            for await key in keys { return key }
            return nil
        }
    }

    /// The keys in what a terminal sends at once. Arrows and the like, which begin with escape, are none.
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
