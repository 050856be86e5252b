// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The behaviour of a WebSocket connection.
public struct WebSocketConfiguration: Sendable {
    /// The most bytes of a received message; 16 MiB.
    public var maximumMessageSize = 16 << 20
    /// The most bytes in one frame that is sent; larger messages are sent in fragments, so that control frames fit
    /// between them. 1 MiB.
    public var fragmentSize = 1 << 20
    /// The most received messages that may wait for the application. Beyond it nothing is read, and the other end has
    /// to wait; one read may exceed it. At least 1; 64.
    public var maximumInboxMessages = 64
    /// The most bytes of received messages that may wait for the application. At least 1; 1 MiB.
    public var maximumInboxBytes = 1 << 20
    /// The most bytes of messages that may wait to be sent. Beyond it `send` waits. At least 1; 1 MiB.
    public var maximumOutboxBytes = 1 << 20
    /// The time from one ping to the next; `nil` sends none. 20 s.
    public var pingInterval: Duration? = .seconds(20)
    /// The time after a ping within which a byte must arrive; else the connection counts as broken. 20 s.
    public var pongTimeout: Duration = .seconds(20)
    /// The time limit of the closing handshake. 5 s.
    public var closeTimeout: Duration = .seconds(5)
    /// The time limit of connecting and the opening handshake together. 15 s.
    public var handshakeTimeout: Duration = .seconds(15)

    /// The defaults.
    public init() {}
}

/// The address, fields and subprotocols of a WebSocket.
public struct WebSocketRequest: Sendable {
    /// A `wss` address; `ws` only to hosts that the transport allows plain `http` for.
    public var url: URL
    /// Fields besides those of the handshake, such as `Authorization`.
    public var headers: HTTPHeaders
    /// The subprotocols to offer, the best first.
    public var subprotocols: [String]

    /// A request.
    public init(_ url: URL, headers: HTTPHeaders = [:], subprotocols: [String] = []) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
    }

    /// The HTTP request of the handshake, which is checked by the same rules: no CR, LF or NUL, no user name.
    ///
    /// - Throws: `NetworkError` with the code `invalidRequest`.
    func httpRequest(_ handshake: WebSocketHandshake) throws -> HTTPRequest {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        switch parts?.scheme?.lowercased() {
        case "wss": parts?.scheme = "https"
        case "ws": parts?.scheme = "http"
        default: throw NetworkError.invalidRequest("A WebSocket's address must begin with wss:// (or ws://).")
        }
        parts?.fragment = nil
        guard let address = parts?.url else {
            throw NetworkError.invalidRequest("The address is not one of a host. Check it.")
        }
        var request = HTTPRequest(.get, address, headers: handshake.requestHeaders)
        for field in headers {
            if request.headers.contains(name: field.name) || HTTPHeaders.areSame(field.name, "Sec-WebSocket-Extensions")
            {
                throw NetworkError.invalidRequest("The field \(field.name) belongs to the handshake. Leave it out.")
            }
            request.headers.add(name: field.name, value: field.value)
        }
        try request.validate()
        let isToken = subprotocols.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
        }
        guard isToken, Set(subprotocols).count == subprotocols.count else {
            throw NetworkError.invalidRequest("A subprotocol is not an HTTP token, or is offered twice.")
        }
        return request
    }
}
