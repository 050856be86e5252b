// SPDX-License-Identifier: MIT

/// What goes wrong with a response, and where.
public struct Fault: Sendable, Hashable {
    /// A place in the stream of bytes from the server.
    public enum Place: Sendable, Hashable {
        /// Before the first byte, once something of a request has come.
        case beforeResponse
        /// After so many bytes, header or not. The one to use with TLS.
        case afterBytes(Int)
        /// In the middle of the header.
        case inHeader
        /// After the header's last byte.
        case afterHeader
        /// So many bytes into the body.
        case inBody(Int)
        /// After the body's last byte, where `Content-Length` says that it is.
        case afterBody
    }

    /// What goes wrong.
    public enum Action: Sendable, Hashable {
        /// The connection is reset (TCP RST).
        case reset
        /// The connection is closed in order (TCP FIN).
        case close
        /// Nothing more comes, and the connection stays.
        case stall
        /// These bytes come instead of the server's, then the connection is closed.
        case garbage([UInt8])
        /// The rest comes in pieces of so many bytes, with so many milliseconds between them.
        case slow(bytes: Int, milliseconds: Int)
    }

    /// Where it goes wrong.
    public let place: Place
    /// What goes wrong.
    public let action: Action

    /// A fault.
    public init(_ action: Action, _ place: Place) {
        self.action = action
        self.place = place
    }
}
