// SPDX-License-Identifier: MIT

import Concurrency

/// A server's address and limits.
public struct HTTPServerConfiguration: Sendable {
    /// A certificate and its key.
    public struct TLS: Sendable {
        /// The server's certificate and those between it and the authority, in PEM, the server's first.
        public var certificateChain: String
        /// The key in PEM, not encrypted.
        public var privateKey: String
        /// The time in which browsers must return by TLS only (`Strict-Transport-Security`, RFC 6797); nil omits the
        /// field.
        public var strictTransportSecurity: Duration?

        /// A certificate and its key, in PEM.
        public init(certificateChain: String, privateKey: String) {
            self.certificateChain = certificateChain
            self.privateKey = privateKey
        }
    }

    /// The address to listen on: an IPv4 or IPv6 address, not a host name. The default is this machine alone; `::` is
    /// every address of both families.
    public var host = "127.0.0.1"
    /// The port; 0 lets the system choose.
    public var port = 0
    /// The certificate: with it the server speaks TLS 1.2 and 1.3 only; without it, plain HTTP.
    public var tls: TLS?
    /// The number of threads that serve connections. Handlers run on Swift's own threads; one here is enough for some
    /// ten thousand requests a second.
    public var threads = 1

    /// The most connections at once. More wait in the system's queue until one ends.
    public var maximumConnections = 1_000
    /// The most connections of one IPv4 address or one IPv6 /64; further ones are closed at once. 0 for no limit,
    /// behind a proxy.
    public var maximumConnectionsPerAddress = 100
    /// The most bytes of a request line's target; more are answered with 414.
    public var maximumTargetBytes = 4 << 10
    /// The most bytes of the request line and the header; more are answered with 431. A connection takes twice that, at
    /// least 16 KB.
    public var maximumHeaderBytes = 8 << 10
    /// The most fields of a header.
    public var maximumHeaderFields = 100
    /// The most bytes of a body, unless a route or a handler sets another limit.
    public var maximumBodyBytes = 1 << 20
    /// The most bytes that are read of an unwanted body, to keep the connection for the next request.
    public var maximumDiscardedBytes = 256 << 10

    /// The longest time from connecting to the end of its first header, TLS included; and later from the end of
    /// a request line to the end of that header.
    public var headerTimeout: Duration = .seconds(10)
    /// The longest idle time between two requests, the second one's request line included.
    public var idleTimeout: Duration = .seconds(60)
    /// The longest pause of a body while the handler wants more of it.
    public var bodyIdleTimeout: Duration = .seconds(20)
    /// The longest time that a client may leave an answer unread.
    public var writeTimeout: Duration = .seconds(30)
    /// The lowest rate of sending a body and of reading an answer, in bytes a second on average, after
    /// ``transferGrace``.
    public var minimumBytesPerSecond = 500
    /// The time that a body or an answer may take whatever its size.
    public var transferGrace: Duration = .seconds(20)
    /// The time that a connection stays open after an answer before the end of a body, so that the client can
    /// read it.
    public var lingerTimeout: Duration = .seconds(3)

    /// The defaults: this machine, any port, plain HTTP.
    public init() {}
}

extension HTTPServerError {
    /// The error of listening.
    init(_ error: SocketError) {
        let code: Code =
            switch error.code {
            case .addressInUse: .addressInUse
            case .outOfResources: .resources
            default: .addressUnavailable
            }
        self.init(code: code, message: error.message)
    }
}

/// The error of this module; it also throws `CancellationError` and ``ServerProblem``.
public struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More may be added.
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
        /// The address is not this machine's or is invalid, or the port is reserved.
        public static let addressUnavailable = Code(rawValue: "addressUnavailable")
        /// The certificate or the key cannot be used.
        public static let certificate = Code(rawValue: "certificate")
        /// The server runs, or has run, already.
        public static let alreadyStarted = Code(rawValue: "alreadyStarted")
        /// The server does not run, or has no certificate that could be replaced.
        public static let notServingTLS = Code(rawValue: "notServingTLS")
        /// A handler's answer cannot be sent.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// libmicrohttpd is not installed.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// The system has no more threads, files or memory.
        public static let resources = Code(rawValue: "resources")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and its remedy.
    public var message: String

    /// An error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
