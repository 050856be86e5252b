// SPDX-License-Identifier: MIT

/// Where the parts of a head lie in libmicrohttpd's buffer, as addresses.
///
/// The library (up to 0.9.75) cuts the head where it lies: a line's end becomes zeros, as many as it had bytes. So a
/// gap of one byte between two fields is a line that ended in LF alone; a larger one hides a NUL; and a field outside
/// the head was put together from folded lines. All of these let two servers in a row read different requests, so they
/// are refused (RFC 9112 §§2.2, 5.2, 11.2).
struct HeadLayout: Sendable {
    struct Field: Sendable {
        var name: UInt
        var value: UInt
        var valueSize: UInt

        var end: UInt { value &+ valueSize }
    }

    var start: UInt
    var size: UInt
    var methodSize: UInt
    var target: UInt
    var targetSize: UInt
    var version: UInt
    var fields: [Field]

    private static let versionSize: UInt = 8

    /// What is wrong, or `nil`.
    var fault: String? {
        let end = start &+ size
        guard target == start &+ methodSize &+ 1, version == target &+ targetSize &+ 1 else {
            return "The request line must be a method, an address and a version with one space between them."
        }
        var lineEnd = version &+ Self.versionSize
        for field in fields {
            guard field.name >= start, field.name < end, field.value >= field.name, field.end <= end else {
                return "A field is folded over several lines, which is obsolete."
            }
            if let fault = Self.gapFault(field.name &- lineEnd, expected: 2) { return fault }
            lineEnd = field.end
        }
        return Self.gapFault(end &- lineEnd, expected: 4)
    }

    private static func gapFault(_ gap: UInt, expected: UInt) -> String? {
        if gap == expected { return nil }
        return gap < expected ? "A line does not end in CR LF." : "The header has a NUL in it."
    }
}
