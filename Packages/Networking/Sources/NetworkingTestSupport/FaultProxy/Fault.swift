// SPDX-License-Identifier: MIT

/// A fault of a response, and its place.
public struct Fault: Sendable, Hashable {
    /// A place in the stream of bytes from the server.
    public enum Place: Sendable, Hashable {
        /// Before the first byte, once a part of a request has arrived.
        case beforeResponse
        /// After so many bytes, header or not. Use this one with TLS.
        case afterBytes(Int)
        /// In the middle of the header.
        case inHeader
        /// After the header's last byte.
        case afterHeader
        /// So many bytes into the body.
        case inBody(Int)
        /// After the body's last byte, as `Content-Length` counts it.
        case afterBody
    }

    /// The kind of fault.
    public enum Action: Sendable, Hashable {
        /// The connection is reset (TCP RST).
        case reset
        /// The connection is closed in order (TCP FIN).
        case close
        /// Nothing more is sent, and the connection stays open.
        case stall
        /// These bytes are sent instead of the server's, then the connection is closed.
        case garbage([UInt8])
        /// The rest is sent in pieces of so many bytes, with so many milliseconds between them.
        case slow(bytes: Int, milliseconds: Int)
    }

    /// The place of the fault.
    public let place: Place
    /// The kind of fault.
    public let action: Action

    /// A fault.
    public init(_ action: Action, _ place: Place) {
        self.action = action
        self.place = place
    }
}
