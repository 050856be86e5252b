// SPDX-License-Identifier: MIT

/// How a connection ended.
public struct WebSocketClosure: Sendable {
    /// The code of the other end's close frame, or what describes its absence (1005, 1006), or the code with which
    /// this end failed the connection.
    public var code: WebSocketCloseCode
    /// The other end's reason.
    public var reason: String
    /// The fault; `nil` after a closing handshake.
    public var error: NetworkError?

    /// Whether both ends closed as the protocol says, so that everything sent before was received by the other end.
    public var isClean: Bool { error == nil }

    /// An end.
    public init(code: WebSocketCloseCode, reason: String = "", error: NetworkError? = nil) {
        self.code = code
        self.reason = reason
        self.error = error
    }
}
