// SPDX-License-Identifier: MIT

/// The error of this module; `CancellationError` passes besides it. No message contains a secret.
public struct MCPError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// The failure, and the remedy.
    public let message: String
    /// The server's error response, if it sent one.
    public let fault: JSONRPCFault?
    /// The HTTP status of the failure, if it has one.
    public let status: Int?
    /// The last bytes that the program wrote to its standard error before it ended. From the server: text, maybe with
    /// secrets of its own; not part of any description.
    public let errorLog: String?
    /// The cause.
    public let underlying: (any Error)?

    /// An error.
    public init(
        _ code: Code, _ message: String, fault: JSONRPCFault? = nil, status: Int? = nil, errorLog: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.fault = fault
        self.status = status
        self.errorLog = errorLog
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The error of a server's error response.
    init(_ fault: JSONRPCFault, to method: String, status: Int? = nil) {
        self.init(
            .server, "The server answered \(method) with error \(fault.code): \(fault.message.prefix(1000))",
            fault: fault, status: status)
    }
}

extension MCPError {
    /// The kind of a failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The description of the server is invalid: its address, command or name. Nothing was started or sent.
        public static let invalidServer = Code(rawValue: "invalidServer")
        /// Plain `http` to another machine. Nothing was sent.
        public static let insecure = Code(rawValue: "insecure")
        /// The program does not exist or may not be run, or the system has no process left.
        public static let cannotStart = Code(rawValue: "cannotStart")
        /// The program ended, or closed its input or output.
        public static let serverEnded = Code(rawValue: "serverEnded")
        /// The program has ended too often in a row; `connect()` tries again.
        public static let restartLimit = Code(rawValue: "restartLimit")
        /// The network failed; `underlying` has the details.
        public static let network = Code(rawValue: "network")
        /// The server rejects the credentials.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The server sent an HTTP response that the protocol does not allow.
        public static let http = Code(rawValue: "http")
        /// The server redirects to another origin.
        public static let redirected = Code(rawValue: "redirected")
        /// The server has forgotten the session.
        public static let sessionExpired = Code(rawValue: "sessionExpired")
        /// The stream of the answer broke and cannot be resumed.
        public static let interrupted = Code(rawValue: "interrupted")
        /// No answer arrived in time.
        public static let timeout = Code(rawValue: "timeout")
        /// The program reads nothing, and too much already waits for it.
        public static let congested = Code(rawValue: "congested")
        /// Client and server speak no revision in common.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// The server does not offer this: tools, prompts, resources, subscriptions …
        public static let notOffered = Code(rawValue: "notOffered")
        /// The server answered with an error, which is in `fault`.
        public static let server = Code(rawValue: "server")
        /// The server's answer breaks the protocol.
        public static let invalidAnswer = Code(rawValue: "invalidAnswer")
        /// The tool's structured result does not fit the schema that the tool declares.
        public static let invalidStructuredContent = Code(rawValue: "invalidStructuredContent")
        /// The server demands something that the client does not offer: a model's answer, or its folders.
        public static let refused = Code(rawValue: "refused")
        /// The client was closed.
        public static let closed = Code(rawValue: "closed")
    }
}
