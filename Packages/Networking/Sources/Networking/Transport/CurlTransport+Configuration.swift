// SPDX-License-Identifier: MIT

public import Diagnostics
import FoundationEssentials

extension CurlTransport {
    /// The hosts, the security and the limits of a transport.
    public struct Configuration: Sendable {
        /// Limits for requests without their own.
        public var timeouts = HTTPTimeouts()
        /// The most bytes of a body, after decompression; `nil` for no limit.
        public var maximumResponseBytes: Int?
        /// A file of PEM certificates to trust instead of the system's.
        public var certificateAuthorityFile: String?
        /// The keys that a host may have, by its name in lower case. A host without an entry may have any trusted key.
        public var pins: [String: [PublicKeyPin]] = [:]
        /// The sentence that a pin error ends with, for a host: the way to trust a server's new key.
        public var pinAdvice: @Sendable (_ host: String) -> String = { _ in
            "If its operator has replaced the key, pin the new one."
        }
        /// This machine's own hosts: the path to them is not observable from outside.
        public static let loopbackHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
        /// The hosts, in lower case, to which plain `http` is allowed: this machine's own unless set.
        public var plainHTTPHosts = loopbackHosts
        /// The way out of this machine.
        public var proxy = Proxy.environment
        /// The header fields with credentials, by name or ending, which a redirect to another origin does not get: those
        /// of the standard list (`Authorization`, cookies, and names that end in "key", "token" or the like) unless set.
        public var credentials = Redaction()
        /// True to use HTTP/2 if the server offers it.
        public var usesHTTP2 = true
        /// The most open connections to one host. HTTP/2 needs one.
        public var maximumConnectionsPerHost = 64
        /// The most connections that are kept for later requests.
        public var maximumIdleConnections = 64
        /// The `User-Agent` of requests without one; `nil` sends none.
        public var userAgent: String?

        /// Gets a span for each request, which tells the server its place in the trace (`traceparent`). Only for a server that is the
        /// program's own: it learns which requests belong together. Nil sends nothing.
        public var traces: TraceRecorder?

        /// The defaults: HTTP/2, the system's authorities, `https` only, 10 s to connect, 30 s between bytes.
        public init() {}

        /// Refuses plain `http` to a host that is not listed.
        ///
        /// - Throws: `NetworkError` with the code `insecure`.
        func checkSecurity(of url: URL) throws {
            guard url.scheme?.lowercased() != "https" else { return }
            let host = url.host(percentEncoded: false)?.lowercased() ?? ""
            guard plainHTTPHosts.contains(host) else {
                throw NetworkError(
                    code: .insecure,
                    message: "Plain http to \(host) is not allowed. Use https, or list the host in plainHTTPHosts.")
            }
        }
    }
}
