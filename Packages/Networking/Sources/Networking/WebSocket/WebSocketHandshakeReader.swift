// SPDX-License-Identifier: MIT

/// Reads the head of the server's answer to an opening handshake (RFC 9112 §§2, 4 and 5), in pieces of any size.
///
/// Stricter than HTTP at large: lines end in CR LF, and no line is folded.
public struct WebSocketHandshakeReader: Sendable {
    /// The most bytes that the head may take.
    public static let maximumSize = 16 << 10

    private var head: [UInt8] = []

    /// A reader before the first byte.
    public init() {}

    /// Takes the next bytes.
    ///
    /// - Returns: Nil as long as the head is not complete; then the answer, and the bytes after it, which belong to
    ///   the frames.
    /// - Throws: ``NetworkError/Code/webSocketHandshake``.
    public mutating func read(
        _ bytes: [UInt8]
    ) throws(NetworkError) -> (response: WebSocketHandshakeResponse, rest: [UInt8])? {
        var searchStart = max(0, head.count - 3)
        head += bytes
        while searchStart + 4 <= head.count {
            if head[searchStart..<searchStart + 4].elementsEqual([13, 10, 13, 10]) {
                guard searchStart <= Self.maximumSize else { break }
                let response = try Self.parse(head[..<searchStart])
                return (response, Array(head[(searchStart + 4)...]))
            }
            searchStart += 1
        }
        guard head.count <= Self.maximumSize else {
            throw Self.malformed("its head has more than \(Self.maximumSize) bytes")
        }
        return nil
    }

    private static func parse(_ head: ArraySlice<UInt8>) throws(NetworkError) -> WebSocketHandshakeResponse {
        // Latin-1, since HTTP defines no encoding and nothing may be lost or refused for it.
        let text = String(String.UnicodeScalarView(head.map { Unicode.Scalar($0) }))
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        guard let statusLine = lines.popFirst(), statusLine.hasPrefix("HTTP/1.1 "),
            let status = Int(statusLine.dropFirst(9).prefix(3)), (100...999).contains(status),
            statusLine.utf8.count == 12 || statusLine.dropFirst(12).hasPrefix(" ")
        else { throw malformed("it does not begin like HTTP/1.1") }
        var headers = HTTPHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy(isTokenByte), !line.utf8.contains(where: isForbidden)
            else { throw malformed("a line of it is not a field") }
            let value = line[line.index(after: colon)...].drop(while: isBlank)
            headers.add(
                name: String(line[..<colon]), value: String(value.reversed().drop(while: isBlank).reversed()))
        }
        return WebSocketHandshakeResponse(status: status, headers: headers)
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// A byte of a token (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isForbidden(_ byte: UInt8) -> Bool { byte == 0 || byte == 10 || byte == 13 }

    private static func malformed(_ finding: String) -> NetworkError {
        NetworkError(
            code: .webSocketHandshake,
            message: "The server's answer is not one to a WebSocket handshake: \(finding). Check the address.")
    }
}
