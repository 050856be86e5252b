// SPDX-License-Identifier: MIT

extension CurlTransport.Configuration {
    /// How connections leave. Its description has no password in it.
    public enum Proxy: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` of the environment that the transport was made with.
        case environment
        /// Straight to the host.
        case none
        /// Through this proxy, whatever the environment says: an `http`, `https`, `socks5` or `socks5h` address, with
        /// `user:password@` before the host if the proxy wants them, percent-encoded.
        case url(String)

        /// The case, and the proxy's address without a user's name and password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let text): "url(\((try? ProxyRoute(text).address) ?? "not a proxy's address"))"
            }
        }

        /// The same as `description`.
        public var debugDescription: String { description }

        /// Shows nothing but `description`.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
