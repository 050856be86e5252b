// SPDX-License-Identifier: MIT

/// Finds keys in the bytes of a terminal (ECMA-48 §5.4; xterm's bracketed paste). Pure, and independent of how the
/// bytes are cut into pieces.
public struct PromptKeyDecoder: Sendable {
    /// The greatest length of a paste; the rest is dropped.
    public static let pasteLimit = 1_000_000

    private enum State: Sendable {
        case plain
        case escape
        case sequence([UInt8])
        case paste
    }

    private static let pasteBegin = Array("200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let longestSequence = 32

    private var state = State.plain
    /// The bytes of an incomplete character.
    private var partial: [UInt8] = []
    private var pasted: [UInt8] = []
    /// The matched length of the paste's end.
    private var endMatch = 0

    /// Starts between two keys.
    public init() {}

    /// Takes bytes.
    public mutating func feed(_ bytes: [UInt8]) -> [PromptKey] { bytes.compactMap { take($0) } }

    private mutating func take(_ byte: UInt8) -> PromptKey? {
        switch state {
        case .plain: return plain(byte)
        case .escape: return afterEscape(byte)
        case .sequence(let parameters):
            guard !(0x40...0x7E).contains(byte) else {
                state = .plain
                return key(of: parameters + [byte])
            }
            state = parameters.count < Self.longestSequence ? .sequence(parameters + [byte]) : .plain
            return nil
        case .paste: return inPaste(byte)
        }
    }

    private mutating func plain(_ byte: UInt8) -> PromptKey? {
        guard byte >= 0x20, byte != 0x7F else {
            partial = []
            return control(byte)
        }
        return character(byte)
    }

    /// Returns a character at its last byte (RFC 3629); invalid bytes are dropped.
    private mutating func character(_ byte: UInt8) -> PromptKey? {
        if byte & 0xC0 != 0x80 { partial = [] } else if partial.isEmpty { return nil }
        partial.append(byte)
        let length =
            switch partial[0] {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard partial.count >= length else { return nil }
        defer { partial = [] }
        guard let text = String(validating: partial, as: UTF8.self), let character = text.first,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return .character(character)
    }

    private mutating func control(_ byte: UInt8) -> PromptKey? {
        switch byte {
        case 0x0A, 0x0D: .enter
        case 0x09: .character("\t")
        case 0x01: .home
        case 0x02: .left
        case 0x03: .interrupt
        case 0x04: .endOfInput
        case 0x05: .end
        case 0x06: .right
        case 0x08, 0x7F: .backspace
        case 0x0B: .deleteToEnd
        case 0x0C: .clearScreen
        case 0x0E: .down
        case 0x10: .up
        case 0x15: .deleteToStart
        case 0x17: .deleteWord
        case 0x19: .putBack
        case 0x1B: startEscape()
        default: nil
        }
    }

    private mutating func startEscape() -> PromptKey? {
        state = .escape
        return nil
    }

    private mutating func afterEscape(_ byte: UInt8) -> PromptKey? {
        state = .plain
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            state = .sequence([])
            return nil
        case 0x1B: return startEscape()
        case 0x0A, 0x0D: return .lineBreak
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case 0x7F: return .deleteWord
        default: return nil
        }
    }

    private mutating func key(of sequence: [UInt8]) -> PromptKey? {
        if sequence == Self.pasteBegin {
            (state, pasted, endMatch) = (.paste, [], 0)
            return nil
        }
        let isByWord = sequence.contains(UInt8(ascii: ";"))
        switch sequence.last {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
        case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "~"):
            switch sequence.first {
            case UInt8(ascii: "1"), UInt8(ascii: "7"): return sequence.count == 2 ? .home : nil
            case UInt8(ascii: "4"), UInt8(ascii: "8"): return sequence.count == 2 ? .end : nil
            case UInt8(ascii: "3"): return .delete
            default: return nil
            }
        default: return nil
        }
    }

    private mutating func inPaste(_ byte: UInt8) -> PromptKey? {
        pasted.append(byte)
        endMatch = byte == Self.pasteEnd[endMatch] ? endMatch + 1 : byte == Self.pasteEnd[0] ? 1 : 0
        if endMatch == Self.pasteEnd.count {
            state = .plain
            let text = String(decoding: pasted.dropLast(endMatch), as: UTF8.self)
            (pasted, endMatch) = ([], 0)
            return .paste(Self.cleaned(text))
        }
        // Bytes beyond the limit are dropped, except the beginning of the end sequence.
        let excess = pasted.count - endMatch - Self.pasteLimit
        if excess > 0 { pasted.removeSubrange(Self.pasteLimit..<(Self.pasteLimit + excess)) }
        return nil
    }

    private static func cleaned(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result.append("\n")
            case "\n": if !isAfterReturn { result.append("\n") }
            case "\t": result.append("\t")
            default: if scalar.properties.generalCategory != .control { result.append(scalar) }
            }
            isAfterReturn = scalar == "\r"
        }
        return String(result)
    }
}

/// A key that a person presses while editing a line.
public enum PromptKey: Equatable, Sendable {
    /// A character, typed.
    case character(Character)
    /// A pasted text, its line breaks as line feeds.
    case paste(String)
    /// Enter.
    case enter
    /// A line break within the text: Alt-Enter.
    case lineBreak
    /// Movements of the cursor, and through the earlier lines.
    case left, right, up, down, home, end, wordLeft, wordRight
    /// Changes of the text around the cursor.
    case backspace, delete, deleteWord, deleteToStart, deleteToEnd, putBack
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
    /// Ctrl-L.
    case clearScreen
}
