// SPDX-License-Identifier: MIT

/// The messages that a connection receives, until it ends.
///
/// Nothing is dropped: a slow consumer makes the other end wait. Ends after a closing handshake, throws when the
/// connection breaks.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = WebSocketMessage

    let connection: WebSocketConnection

    /// An iterator; all of one connection share its messages.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Takes messages.
    public struct Iterator: AsyncIteratorProtocol {
        let connection: WebSocketConnection

        /// The next message, or `nil` after the closing handshake.
        public mutating func next() async throws -> WebSocketMessage? {
            try await connection.receive()
        }
    }
}
