// SPDX-License-Identifier: MIT

extension ReconnectingWebSocket {
    /// How a reconnecting WebSocket behaves.
    public struct Configuration: Sendable {
        /// The longest wait before the first new connection; it doubles each time. 500 ms.
        public var initialDelay: Duration = .milliseconds(500)
        /// The longest wait at all; 30 s.
        public var maximumDelay: Duration = .seconds(30)
        /// How many attempts in a row may bring no message; `nil` for no limit.
        public var maximumAttempts: Int?
        /// Whether an end is worth a new connection; by default by ``WebSocketCloseCode/isWorthReconnecting``, and not
        /// after this end failed the connection because the other broke the protocol.
        public var shouldReconnect: @Sendable (WebSocketClosure) -> Bool = { $0.code.isWorthReconnecting }

        /// The defaults.
        public init() {}
    }

    /// What comes from a reconnecting WebSocket, in order.
    public enum Event: Sendable {
        /// A connection is open and its state restored. From the second on there is a gap: messages of the server may
        /// have been lost in it, and what was sent just before it may or may not have arrived.
        case connected(number: Int)
        /// A message.
        case message(WebSocketMessage)
        /// The connection has ended, or could not be made; a new attempt follows after so long.
        case disconnected(WebSocketClosure, retryAfter: Duration)
    }
}
