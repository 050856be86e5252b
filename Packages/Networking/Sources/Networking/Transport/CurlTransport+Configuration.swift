// SPDX-License-Identifier: MIT

import FoundationEssentials

extension CurlTransport {
    /// Where a transport connects to, how, and its limits.
    public struct Configuration: Sendable {
        /// Limits for requests that bring none of their own.
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
        /// This machine's own hosts: nobody is on the way to them.
        public static let loopbackHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
        /// The hosts, in lower case, to which plain `http` is allowed: this machine's own unless set.
        public var plainHTTPHosts = loopbackHosts
        /// How connections leave.
        public var proxy = Proxy.environment
        /// True if HTTP/2 is used where the server offers it.
        public var usesHTTP2 = true
        /// How many connections to one host may be open at once. HTTP/2 needs one.
        public var maximumConnectionsPerHost = 64
        /// How many connections are kept for later requests.
        public var maximumIdleConnections = 64
        /// What `User-Agent` says where a request does not; `nil` sends none.
        public var userAgent: String?

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
