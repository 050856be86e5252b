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
        let (keys, entry) = AsyncStream<Key>.makeStream()
        let isRaw = settings.withLock { $0 != nil }
        let reading = Task { [input] in
            if isRaw {
                for await chunk in input.chunks() { for key in Self.keys(of: chunk) { entry.yield(key) } }
            } else {
                for await line in input.lines() { entry.yield(Self.key(of: line)) }
            }
            entry.yield(.end)
        }
        entry.onTermination = { _ in reading.cancel() }
        return keys
    }

    /// Gives the terminal back.
    func close() {
        settings.withLock { settings in
            guard var before = settings else { return }
            tcsetattr(0, TCSADRAIN, &before)
            settings = nil
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
