// SPDX-License-Identifier: MIT

/// A line that is being typed at a terminal that does not edit lines itself. Pure: bytes in, results out.
struct LineEditor: Sendable {
    /// The outcome of some bytes.
    enum Happening: Sendable, Equatable {
        /// A line was finished.
        case line(String)
        /// Ctrl-D on an empty line.
        case end
    }

    private enum Escape {
        case none, started, sequence
    }

    /// The greatest length of a line, longer than any link; the rest is dropped.
    static let byteLimit = 4_096

    private var bytes: [UInt8] = []
    private var escape = Escape.none

    /// The text so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes typed or pasted bytes. Ctrl-U deletes the line, backspace a character; the keys that move are ignored.
    mutating func feed(_ input: [UInt8]) -> [Happening] {
        input.compactMap { take($0) }
    }

    private mutating func take(_ byte: UInt8) -> Happening? {
        if isPartOfEscape(byte) { return nil }
        switch byte {
        case 0x0A, 0x0D:
            defer { bytes = [] }
            return .line(text)
        case 0x04: return bytes.isEmpty ? .end : nil
        case 0x08, 0x7F: removeCharacter()
        case 0x15, 0x17: bytes = []
        case 0x20..., 0x09: if bytes.count < Self.byteLimit { bytes.append(byte) }
        default: break
        }
        return nil
    }

    /// Arrows and other keys send `ESC [ … letter` or `ESC O letter` (ECMA-48 §5.4).
    private mutating func isPartOfEscape(_ byte: UInt8) -> Bool {
        switch escape {
        case .none:
            guard byte == 0x1B else { return false }
            escape = .started
        case .started: escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
        case .sequence: if (0x40...0x7E).contains(byte) { escape = .none }
        }
        return true
    }

    /// Deletes the last character with all its bytes (RFC 3629).
    private mutating func removeCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
