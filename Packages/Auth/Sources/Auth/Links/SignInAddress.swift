// SPDX-License-Identifier: MIT

/// A parsed address (RFC 3986 §3), stricter than a browser: text that two parsers could read differently is refused.
struct SignInAddress {
    let scheme: String
    /// The host in lower case.
    let host: String
    let port: UInt16?
    let path: String
    let query: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) throws {
        guard (1...SignInLink.byteLimit).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SignInLink.invalid("It is empty, too long, or has spaces or other characters in it that no link has.")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            throw SignInLink.invalid("It has no :// in it.")
        }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self)
        var rest = bytes[(colon + 3)...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            // GoTrue repeats an error behind the hash; tokens behind it belong to a way to sign in without PKCE.
            guard rest[hash...].starts(with: "#error=".utf8), rest[..<hash].containsError else {
                throw SignInLink.invalid("It has a # in it.")
            }
            rest = rest[..<hash]
        }
        let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        query = rest[mark...].dropFirst()
        let slash = rest[..<mark].firstIndex(of: UInt8(ascii: "/")) ?? mark
        (host, port) = try Self.authority(rest[..<slash])
        path = String(decoding: rest[slash..<mark], as: UTF8.self)
        guard path.utf8.allSatisfy(Self.isPlain),
            !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { throw SignInLink.invalid("Its path has characters in it that no path of ours has.") }
    }

    /// True for an address of this machine.
    static func isLocal(_ host: String) -> Bool { ["127.0.0.1", "localhost", "[::1]"].contains(host) }

    private static func authority(_ bytes: ArraySlice<UInt8>) throws -> (String, UInt16?) {
        // No other literal of RFC 3986 §3.2.2 is this machine, and certificates for them are rare.
        let loopback = "[::1]"
        if bytes.elementsEqual(loopback.utf8) || bytes.starts(with: (loopback + ":").utf8) {
            let (_, port) = try authority(Array("localhost".utf8) + bytes.dropFirst(loopback.utf8.count))
            return (loopback, port)
        }
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...253).contains(parts[0].count),
            parts[0].allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
        else { throw SignInLink.invalid("It names no host.") }
        let host = String(decoding: parts[0], as: UTF8.self).lowercased()
        guard parts.count == 2 else { return (host, nil) }
        let text = String(decoding: parts[1], as: UTF8.self)
        guard let port = UInt16(text), port > 0, String(port) == text else {
            throw SignInLink.invalid("Its port is not a number.")
        }
        return (host, port)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// True for an unreserved character (§2.3) or the slash.
    static func isPlain(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~/".utf8.contains(byte)
    }
}

extension ArraySlice<UInt8> {
    /// True if a query in it has an `error`.
    fileprivate var containsError: Bool {
        guard let mark = firstIndex(of: UInt8(ascii: "?")) else { return false }
        return self[index(after: mark)...].split(separator: UInt8(ascii: "&")).contains {
            $0.starts(with: "error=".utf8)
        }
    }
}
