// SPDX-License-Identifier: MIT

/// An address that mail can be sent to, in lower case: the dot-string form of RFC 5321 §4.1.2, ASCII.
///
/// Quoted local parts, address literals and SMTPUTF8 are refused: they are rare, and each is a way to write one mailbox
/// in two ways or to smuggle a second recipient into a header.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// `local@domain`, in lower case.
    public let value: String

    /// Reads an address; spaces around it are dropped.
    ///
    /// - Throws: ``AuthServerError`` with the code `validationFailed`.
    public init(_ text: String) throws(AuthServerError) {
        let bytes = Array(text.utf8)
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        let trimmed = bytes[start..<end]
        guard trimmed.count <= 254, let at = trimmed.lastIndex(of: UInt8(ascii: "@")),
            Self.isLocalPart(trimmed[..<at]), Self.isDomain(trimmed[(at + 1)...])
        else {
            throw AuthServerError(.validationFailed, "This is not an e-mail address: write it as name@example.org.")
        }
        value = String(decoding: trimmed, as: UTF8.self).lowercased()
    }

    /// Dot-separated runs of atext (RFC 5322 §3.2.3), 64 bytes at most.
    private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 64
            && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { run in
                !run.isEmpty && run.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
            }
    }

    /// Labels of letters, digits and inner hyphens (RFC 1123 §2.1), 63 bytes at most each.
    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A placeholder, since no log may have the address.
    public var description: String { "an e-mail address" }
}
