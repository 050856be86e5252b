// SPDX-License-Identifier: MIT

/// The fault in bytes that are not JSON, and its position.
public struct JSONParsingError: Error, Hashable {
    /// The kinds of faults.
    public enum Reason: Sendable, Hashable {
        /// The bytes end within a value.
        case endOfInput
        /// A byte that is not allowed at this position.
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

    /// The kind of fault.
    public let reason: Reason
    /// The position, in bytes from the beginning.
    public let offset: Int

    /// The text that is allowed at the position of an unexpected byte, "a quoted name"; nil for other reasons.
    public let expected: String?

    init(_ reason: Reason, at offset: Int, expected: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.expected = expected
    }
}

extension JSONParsingError: CustomStringConvertible {
    /// For a person.
    public var description: String { "This is not JSON: \(problem) (at byte \(offset))." }

    /// The fault, without the position: "unexpected “b”; expected a quoted name".
    public var problem: String {
        switch reason {
        case .endOfInput: "the text ends too early"
        case .unexpectedByte(let byte):
            "unexpected \(Self.shown(byte))" + (expected.map { "; expected \($0)" } ?? "")
        case .trailingBytes: "something follows the value"
        case .invalidString: "a string is not well formed"
        case .invalidNumber: "a number is not well formed, or too large"
        case .tooDeep: "arrays and objects are nested too deeply"
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "“\(Character(Unicode.Scalar(byte)))”" : "byte \(byte)"
    }
}
