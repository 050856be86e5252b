// SPDX-License-Identifier: MIT

import FoundationEssentials

extension HTTPRequest {
    /// Checks that nothing in the request can change its meaning on the wire. Every transport calls it first.
    ///
    /// - Throws: `NetworkError` with the code `invalidRequest`: a CR, LF or NUL in the address or in a header's value,
    ///   a name or method that is not a token (RFC 9110 §5.6.2), an address that is not absolute, or one with a user
    ///   name or password.
    public func validate() throws {
        guard Self.isToken(method.rawValue) else {
            throw NetworkError.invalidRequest("The method is not an HTTP token. Use letters only.")
        }
        let address = url.absoluteString
        guard !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw NetworkError.invalidRequest(
                "The address has a space or a control character in it. Percent-encode it.")
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw NetworkError.invalidRequest("The address must begin with https:// (or http://).")
        }
        guard let host = url.host(percentEncoded: false), !host.isEmpty,
            !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else {
            throw NetworkError.invalidRequest("The address names no host.")
        }
        guard url.user() == nil, url.password() == nil else {
            throw NetworkError.invalidRequest(
                "The address has a user name or password in it. Send an Authorization header instead.")
        }
        for field in headers {
            guard Self.isToken(field.name) else {
                throw NetworkError.invalidRequest("A header's name is not an HTTP token.")
            }
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                throw NetworkError.invalidRequest(
                    "The value of the header \(field.name) has a CR, LF or NUL in it. Remove it.")
            }
        }
        if headers.contains(name: "Transfer-Encoding") {
            throw NetworkError.invalidRequest(
                "Transfer-Encoding is the transport's to write. Give the body a length or not.")
        }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}
