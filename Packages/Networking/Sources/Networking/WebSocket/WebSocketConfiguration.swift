// SPDX-License-Identifier: MIT

/// How a WebSocket connection behaves.
public struct WebSocketConfiguration: Sendable {
    /// The most bytes of a received message; 16 MiB.
    public var maximumMessageSize = 16 << 20
    /// The most bytes in one frame that is sent; larger messages go out in fragments, so that control frames find a
    /// place between them. 1 MiB.
    public var fragmentSize = 1 << 20
    /// How many received messages may wait for the application. Beyond it nothing is read, and the other end has to
    /// wait; what one read brought may exceed it. 64.
    public var maximumInboxMessages = 64
    /// How many bytes of received messages may wait for the application. 1 MiB.
    public var maximumInboxBytes = 1 << 20
    /// How many bytes of messages may wait to be sent. Beyond it `send` waits. 1 MiB.
    public var maximumOutboxBytes = 1 << 20
    /// How long after the last ping the next one follows; `nil` sends none. 20 s.
    public var pingInterval: Duration? = .seconds(20)
    /// How long after a ping a byte has to come; else the connection counts as broken. 20 s.
    public var pongTimeout: Duration = .seconds(20)
    /// How long the closing handshake may take. 5 s.
    public var closeTimeout: Duration = .seconds(5)
    /// How long connecting and the opening handshake may take together. 15 s.
    public var handshakeTimeout: Duration = .seconds(15)

    /// The defaults.
    public init() {}
}
