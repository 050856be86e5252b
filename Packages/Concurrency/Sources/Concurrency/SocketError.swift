// SPDX-License-Identifier: MIT

/// The error of sockets.
public struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another program listens at the address.
        public static let addressInUse = Code(rawValue: "addressInUse")
        /// The address is not this machine's, or its port or folder needs a privilege.
        public static let addressUnavailable = Code(rawValue: "addressUnavailable")
        /// The text is not an address.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The system has no more descriptors, threads or memory.
        public static let outOfResources = Code(rawValue: "outOfResources")
        /// The connection is broken: the peer has gone.
        public static let broken = Code(rawValue: "broken")
        /// The socket, or its loop, was closed on this side.
        public static let closed = Code(rawValue: "closed")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String

    /// An error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
