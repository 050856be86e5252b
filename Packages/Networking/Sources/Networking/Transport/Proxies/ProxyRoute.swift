// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The route of connections to one kind of address, in the parts that libcurl takes.
struct ProxyRoute: Sendable, Equatable {
    /// The proxy's scheme, host and port, without a name or password, so that no message of libcurl's has them; empty
    /// without a proxy.
    var address = ""
    /// Name and password, percent-encoded, with a colon between them.
    var credentials: String?
    /// The proxy's host, in lower case.
    var host = ""
    /// The hosts to reach without the proxy, as in `no_proxy`.
    var exceptions = ""

    /// Directly to the host.
    static let direct = ProxyRoute()

    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// A route through the proxy at an address such as `http://user:password@proxy.example:3128`, or without the
    /// scheme.
    ///
    /// - Throws: `NetworkError` with the code `proxy`, which does not repeat the address.
    init(_ text: String, exceptions: String = "") throws(NetworkError) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { throw Self.invalid }
        var rest = text[...]
        var scheme = "http"
        if let colon = text.firstRange(of: "://") {
            scheme = text[..<colon.lowerBound].lowercased()
            rest = text[colon.upperBound...]
        }
        guard Self.schemes.contains(scheme) else { throw Self.invalid }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") {
            let name = String(rest[..<at])
            credentials = name.contains(":") ? name : name + ":"
            rest = rest[rest.index(after: at)...]
        }
        host = Self.host(of: rest).lowercased()
        guard !host.isEmpty else { throw Self.invalid }
        address = "\(scheme)://\(rest)"
        self.exceptions = exceptions
    }

    private init() {}

    private static func host(of authority: Substring) -> Substring {
        guard authority.first == "[" else { return authority.prefix { $0 != ":" } }
        return authority.dropFirst().prefix { $0 != "]" }
    }

    private static var invalid: NetworkError {
        NetworkError(
            code: .proxy,
            message: "The proxy's address is not one. Write http://host:port, with https, socks5 or socks5h instead, "
                + "and user:password@ before the host if it requires them, percent-encoded.")
    }
}

/// The proxy of each kind of address, decided once for a transport.
struct ProxyRules: Sendable {
    private let secure: Result<ProxyRoute, NetworkError>
    private let plain: Result<ProxyRoute, NetworkError>

    /// The rules of a configuration.
    ///
    /// - Parameter environment: The variables for `.environment`, by curl's rules: `https_proxy`, `http_proxy`, then
    ///   `all_proxy`, and `no_proxy`; a name in capitals counts if the other is absent or empty. `HTTP_PROXY` does not
    ///   count, because the sender of a `Proxy` header sets it for a CGI program.
    init(_ proxy: CurlTransport.Configuration.Proxy, environment: [String: String]) {
        switch proxy {
        case .none: (secure, plain) = (.success(.direct), .success(.direct))
        case .url(let text):
            let route = Result { () throws(NetworkError) in try ProxyRoute(text) }
            (secure, plain) = (route, route)
        case .environment:
            func value(_ names: String...) -> String? {
                names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            }
            let exceptions = value("no_proxy", "NO_PROXY") ?? ""
            func route(_ text: String?) -> Result<ProxyRoute, NetworkError> {
                guard let text else { return .success(.direct) }
                return Result { () throws(NetworkError) in try ProxyRoute(text, exceptions: exceptions) }
            }
            secure = route(value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"))
            plain = route(value("http_proxy", "all_proxy", "ALL_PROXY"))
        }
    }

    /// The route to an address.
    ///
    /// - Throws: `NetworkError` with the code `proxy` if the proxy's address is invalid.
    func route(for url: URL) throws(NetworkError) -> ProxyRoute {
        try (url.scheme?.lowercased() == "https" ? secure : plain).get()
    }
}

extension CurlTransport.Configuration {
    /// The way out of this machine. Its description has no password in it.
    public enum Proxy: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` of the environment that the transport was made with.
        case environment
        /// Directly to the host.
        case none
        /// Through this proxy, even if the environment names another: an `http`, `https`, `socks5` or `socks5h`
        /// address, with `user:password@` before the host if the proxy demands them, percent-encoded.
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
