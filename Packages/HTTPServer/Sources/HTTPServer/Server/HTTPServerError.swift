// SPDX-License-Identifier: MIT

/// What this module throws, besides `CancellationError` and what a handler throws to its client.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More may come.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// Another program has the port.
        public static let addressInUse = Code(rawValue: "addressInUse")
        /// The address is not this machine's, is none, or the port is reserved.
        public static let addressUnavailable = Code(rawValue: "addressUnavailable")
        /// The certificate or the key cannot be used.
        public static let certificate = Code(rawValue: "certificate")
        /// The server runs, or has run, already.
        public static let alreadyStarted = Code(rawValue: "alreadyStarted")
        /// The server does not run, or has no certificate that could be replaced.
        public static let notServingTLS = Code(rawValue: "notServingTLS")
        /// A handler's answer cannot be sent.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The system has no more threads, files or memory.
        public static let resources = Code(rawValue: "resources")
    }

    /// Why.
    public var code: Code
    /// What happened, and what to do.
    public var message: String

    /// An error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
