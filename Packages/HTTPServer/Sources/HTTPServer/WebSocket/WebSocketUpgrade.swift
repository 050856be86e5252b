// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Networking

/// The connection after a WebSocket's opening handshake.
public struct WebSocketUpgrade: Sendable {
    let subprotocol: String?
    let configuration: WebSocketConfiguration
    let serve: @Sendable (WebSocketConnection) async -> Void
}

extension ServerResponse {
    /// Opens a WebSocket (RFC 6455 §4.2).
    ///
    /// The connection pings, answers pings, limits messages and holds the client back by `configuration`; frames that
    /// are not masked end it. `serve` may run as long as it likes; when it returns, the connection is closed. When the
    /// server stops, the connection is closed with 1001, and `receive` returns `nil`.
    ///
    /// A browser sends `Origin` and every cookie, whatever page opens the WebSocket: a server that identifies people by
    /// cookies must compare `Origin` first.
    ///
    /// - Parameters:
    ///   - request: The opening handshake.
    ///   - subprotocols: The server's subprotocols; the first one that the client offers is chosen, if there is one.
    ///   - configuration: Limits and pings.
    ///   - serve: Talks to the client.
    /// - Throws: A ``ServerProblem``: 400 or 426 if the request is not an opening handshake.
    public static func webSocket(
        for request: ServerRequest, subprotocols: [String] = [],
        configuration: WebSocketConfiguration = WebSocketConfiguration(),
        _ serve: @escaping @Sendable (WebSocketConnection) async -> Void
    ) throws -> ServerResponse {
        guard request.headers.tokens("Upgrade").contains("websocket"),
            request.headers.tokens("Connection").contains("upgrade")
        else {
            throw ServerProblem(
                status: 426, detail: "This address accepts WebSocket only.",
                headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
        }
        guard request.headers.values(for: "Sec-WebSocket-Version") == ["13"] else {
            throw ServerProblem(
                status: 426, detail: "The only version that is spoken is 13.",
                headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
        }
        let keys = request.headers.values(for: "Sec-WebSocket-Key")
        guard request.method == .get, request.body.length == 0, keys.count == 1,
            Data(base64Encoded: keys[0])?.count == 16
        else { throw ServerProblem.badRequest("The request is not the opening handshake of a WebSocket.") }
        let offered = request.headers.values(for: "Sec-WebSocket-Protocol").flatMap { value in
            value.split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }) }
        }
        let subprotocol = subprotocols.first(where: offered.contains)
        let handshake = WebSocketHandshake(key: keys[0], subprotocols: offered)
        return ServerResponse(
            status: 101, headers: try handshake.responseHeaders(subprotocol: subprotocol),
            body: .webSocket(
                WebSocketUpgrade(subprotocol: subprotocol, configuration: configuration, serve: serve)))
    }
}

extension HTTPHeaders {
    /// The elements of a list of tokens, in lower case.
    func tokens(_ name: String) -> [String] {
        values(for: name).flatMap { value in
            value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }
    }
}
