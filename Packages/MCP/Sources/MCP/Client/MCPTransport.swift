// SPDX-License-Identifier: MIT

import Networking

/// An event of a transport.
enum MCPTransportEvent: Sendable {
    /// A message, or bytes that are not one.
    case reading(JSONRPCMessage.Reading)
    /// A message that was too long to keep.
    case oversized
    /// The end of the connection.
    case ended(MCPError)
}

/// Carries messages to one server and back.
protocol MCPTransport: Sendable {
    /// Starts. `receive` gets each event; the transport waits for its return before it reads on.
    func open(_ receive: @escaping @Sendable (MCPTransportEvent) async -> Void) async throws
    /// Sends a message. A request whose answer arrives on the same exchange (HTTP) returns when that has been received,
    /// everything else when it is sent. Cancelling ends the exchange.
    func send(_ message: JSONRPCMessage, headers: HTTPHeaders) async throws
    /// The handshake has ended with this revision.
    func agreed(on version: MCPProtocolVersion)
    /// Begins to receive the server's own messages, if they need a channel of their own.
    func listen()
    /// True if ending an exchange cancels its request at the server.
    var endsExchanges: Bool { get }
    /// Ends in order, and waits for that.
    func close() async
    /// Ends in order without waiting.
    func abandon()
}
