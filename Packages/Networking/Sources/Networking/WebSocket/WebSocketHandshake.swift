// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials

/// The opening handshake of RFC 6455 §4: a client's request, the check of the answer, and the same for a server.
public struct WebSocketHandshake: Sendable {
    /// The nonce of this handshake: 16 random bytes in Base64.
    public let key: String
    /// The subprotocols that the client offers, the best first.
    public let subprotocols: [String]

    /// A handshake with a new nonce.
    public init(subprotocols: [String], random: inout some RandomNumberGenerator) {
        var nonce: [UInt8] = []
        for _ in 0..<16 { nonce.append(UInt8.random(in: 0...255, using: &random)) }
        key = Data(nonce).base64EncodedString()
        self.subprotocols = subprotocols
    }

    /// A handshake as a server read it from a request.
    public init(key: String, subprotocols: [String]) {
        self.key = key
        self.subprotocols = subprotocols
    }

    /// The fields that make a GET request an opening handshake; `Host` is not among them.
    public var requestHeaders: HTTPHeaders {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty {
            headers.add(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
        }
        return headers
    }

    /// The value of `Sec-WebSocket-Accept` in a server's answer (§4.2.2 item 5.4).
    public func acceptValue() throws(NetworkError) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(try MessageDigest.Algorithm.sha1.networkHash(text.utf8)).base64EncodedString()
    }

    /// The fields of a server's `101 Switching Protocols`.
    ///
    /// - Parameter subprotocol: One of those offered, or nil.
    public func responseHeaders(subprotocol: String? = nil) throws(NetworkError) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": try acceptValue(),
        ]
        if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        return headers
    }

    /// Checks a server's answer as §4.1 demands.
    ///
    /// - Returns: The subprotocol that the server chose.
    /// - Throws: ``NetworkError/Code/webSocketHandshake``, with a ``WebSocketHandshakeResponse`` as its cause.
    public func validate(_ response: WebSocketHandshakeResponse) throws(NetworkError) -> String? {
        func failure(_ finding: String) -> NetworkError {
            NetworkError(code: .webSocketHandshake, message: finding, underlying: response, status: response.status)
        }
        guard response.status == 101 else {
            throw failure(
                "The server answered \(response.status) instead of opening a WebSocket. Check the address and the "
                    + "credentials.")
        }
        guard response.headers.values(for: "Upgrade").map({ $0.lowercased() }) == ["websocket"],
            response.tokens("Connection").contains("upgrade")
        else { throw failure("The server switched to something other than a WebSocket. Check the address.") }
        guard response.headers.values(for: "Sec-WebSocket-Accept") == [try acceptValue()] else {
            throw failure("The server's answer is for another request. A cache or a proxy may be in between.")
        }
        guard response.headers.values(for: "Sec-WebSocket-Extensions").allSatisfy(\.isEmpty) else {
            throw failure("The server uses an extension that was not offered to it.")
        }
        let chosen = response.headers.values(for: "Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
            throw failure(
                "The server chose the subprotocol \(chosen.joined(separator: ", ")), which was not offered to it.")
        }
        return chosen.first
    }
}

/// The head of the server's answer to an opening handshake.
public struct WebSocketHandshakeResponse: Error, Sendable, CustomStringConvertible {
    /// The HTTP status, 101 if the server agreed.
    public let status: Int
    /// The fields.
    public let headers: HTTPHeaders

    /// An answer.
    public init(status: Int, headers: HTTPHeaders) {
        self.status = status
        self.headers = headers
    }

    /// The members of a list of tokens, in lower case.
    func tokens(_ name: String) -> [String] {
        headers.values(for: name).flatMap { $0.split(separator: ",") }.map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
                .lowercased()
        }
    }

    /// The status. Fields may hold secrets, so they are not part of it.
    public var description: String { "HTTP status \(status)" }
}
