// SPDX-License-Identifier: MIT

import Networking

/// What a transport tells.
enum MCPTransportEvent: Sendable {
    /// Something came.
    case reading(JSONRPCMessage.Reading)
    /// Something came that was too long to keep.
    case oversized
    /// Nothing more will come.
    case ended(MCPError)
}

/// What carries messages to one server and back.
protocol MCPTransport: Sendable {
    /// Starts. `receive` gets what comes; the transport waits for its return before it reads on.
    func open(_ receive: @escaping @Sendable (MCPTransportEvent) async -> Void) async throws
    /// Sends a message. A request whose answer comes on the same exchange (HTTP) returns when that has been received,
    /// everything else when it is sent. Cancelling ends the exchange.
    func send(_ message: JSONRPCMessage, headers: HTTPHeaders) async throws
    /// The handshake has ended with this revision.
    func agreed(on version: MCPProtocolVersion)
    /// Begins to receive what the server says without being asked, where that needs a channel of its own.
    func listen()
    /// True if an ended exchange tells the server that its answer is not wanted.
    var endsExchanges: Bool { get }
    /// Ends in order, and waits for that.
    func close() async
    /// Ends in order without waiting.
    func abandon()
}
