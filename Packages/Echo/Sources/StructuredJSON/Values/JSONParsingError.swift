// SPDX-License-Identifier: MIT

/// Why bytes are not JSON, and where.
public struct JSONParsingError: Error, Hashable {
    /// The kinds of what can be wrong.
    public enum Reason: Sendable, Hashable {
        /// The bytes end within a value.
        case endOfInput
        /// A byte that may not stand there.
        case unexpectedByte(UInt8)
        /// More follows the value.
        case trailingBytes
        /// A string with a control character, a wrong escape, or bytes that are not UTF-8.
        case invalidString
        /// A number that RFC 8259 §6 does not allow, or one too large for a `Double`.
        case invalidNumber
        /// Arrays and objects within each other deeper than allowed.
        case tooDeep
    }

    /// What is wrong.
    public let reason: Reason
    /// Where, in bytes from the beginning.
    public let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONParsingError: CustomStringConvertible {
    /// For a person.
    public var description: String {
        let what =
            switch reason {
            case .endOfInput: "it ends too early"
            case .unexpectedByte(let byte): "byte \(byte) may not stand there"
            case .trailingBytes: "something follows the value"
            case .invalidString: "a string is not well formed"
            case .invalidNumber: "a number is not well formed, or too large"
            case .tooDeep: "its arrays and objects lie too deep in each other"
            }
        return "This is not JSON: \(what) (at byte \(offset))."
    }
}
