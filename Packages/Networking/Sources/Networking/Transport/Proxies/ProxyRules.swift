// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Which proxy an address goes through, decided once for a transport.
struct ProxyRules: Sendable {
    private let secure: Result<ProxyRoute, NetworkError>
    private let plain: Result<ProxyRoute, NetworkError>

    /// The rules of a configuration.
    ///
    /// - Parameter environment: Where `.environment` looks, by curl's rules: `https_proxy`, `http_proxy`, then
    ///   `all_proxy`, and `no_proxy`; a name in capitals counts where the other is absent or empty. `HTTP_PROXY` does
    ///   not count, because a CGI program gets it from whoever sends a `Proxy` header.
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

    /// How an address is reached.
    ///
    /// - Throws: `NetworkError` with the code `proxy` if the proxy's address is none.
    func route(for url: URL) throws(NetworkError) -> ProxyRoute {
        try (url.scheme?.lowercased() == "https" ? secure : plain).get()
    }
}
