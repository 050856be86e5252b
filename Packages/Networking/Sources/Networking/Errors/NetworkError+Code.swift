// SPDX-License-Identifier: MIT

extension NetworkError {
    /// The kind of a failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The request is invalid: address, header, method or body. Nothing was sent.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// Plain `http` to a host that the configuration does not allow it for. Nothing was sent.
        public static let insecure = Code(rawValue: "insecure")
        /// The host's name, or the proxy's, could not be resolved.
        public static let resolve = Code(rawValue: "resolve")
        /// No connection could be made.
        public static let connect = Code(rawValue: "connect")
        /// The proxy refuses, or demands a user name and password: `status` has its answer. Or the proxy's URL is
        /// invalid.
        public static let proxy = Code(rawValue: "proxy")
        /// TLS could not be agreed on.
        public static let secure = Code(rawValue: "secure")
        /// The server's certificate is not trusted: wrong name, expired, or of an unknown authority.
        public static let certificate = Code(rawValue: "certificate")
        /// The server's public key is not one of those that were pinned for the host.
        public static let pin = Code(rawValue: "pin")
        /// The connection broke before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The response is not HTTP, or not of the protocol that was agreed on.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// No connection within `HTTPTimeouts.connect`.
        public static let connectTimeout = Code(rawValue: "connectTimeout")
        /// No response within `HTTPTimeouts.firstByte`.
        public static let firstByteTimeout = Code(rawValue: "firstByteTimeout")
        /// No more bytes within `HTTPTimeouts.idle`.
        public static let idleTimeout = Code(rawValue: "idleTimeout")
        /// The request took longer than `HTTPTimeouts.whole`.
        public static let timeout = Code(rawValue: "timeout")
        /// The response is larger than its limit.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The response's header is larger than the transport takes: 100 KB a line, 256 KB in all.
        public static let headerTooLarge = Code(rawValue: "headerTooLarge")
        /// libcurl is not installed; the message names its package.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// The memory is used up.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// There were more redirects than allowed, or one to an address that cannot be followed.
        public static let redirect = Code(rawValue: "redirect")
        /// The source of the request's body failed, or its length differs from the declared one.
        public static let requestBody = Code(rawValue: "requestBody")
        /// The server answered with an unwanted status.
        public static let status = Code(rawValue: "status")
        /// The response does not decode into the requested type.
        public static let decoding = Code(rawValue: "decoding")
        /// The session has no valid token any more: sign in.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The token was refreshed too often in a short time.
        public static let refreshLimit = Code(rawValue: "refreshLimit")
        /// The circuit breaker is open: the origin failed too often of late. Nothing was sent.
        public static let circuitOpen = Code(rawValue: "circuitOpen")
        /// The request had `onlyIfCached`, and no response is stored.
        public static let notCached = Code(rawValue: "notCached")
        /// A file could not be read or written.
        public static let file = Code(rawValue: "file")
        /// The transport or the connection was closed.
        public static let closed = Code(rawValue: "closed")
        /// Anything else; `underlying` is the cause.
        public static let other = Code(rawValue: "other")
    }
}
