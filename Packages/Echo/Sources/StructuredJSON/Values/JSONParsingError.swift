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

    /// What could stand there, such as "a quoted name"; nil where that says nothing.
    public let expectation: String?

    init(_ reason: Reason, at offset: Int, expected: String? = nil) {
        self.reason = reason
        self.offset = offset
        expectation = expected
    }
}

extension JSONParsingError: CustomStringConvertible {
    /// What is wrong and where, for a person.
    public var description: String { "This is not JSON: \(problem) (at byte \(offset))." }

    /// What is wrong, without the place, such as `unexpected "b"; expected a quoted name`.
    public var problem: String {
        let what =
            switch reason {
            case .endOfInput: "it ends too early"
            case .unexpectedByte(let byte):
                (0x21...0x7E).contains(byte) ? "unexpected \"\(Unicode.Scalar(byte))\"" : "unexpected byte \(byte)"
            case .trailingBytes: "something follows the value"
            case .invalidString: "a string is not well formed"
            case .invalidNumber: "a number is not well formed, or too large"
            case .tooDeep: "arrays and objects are nested too deeply"
            }
        return what + (expectation.map { "; expected \($0)" } ?? "")
    }
}
