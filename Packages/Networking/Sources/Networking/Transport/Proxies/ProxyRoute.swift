// SPDX-License-Identifier: MIT

/// How connections to one kind of address leave, in the parts that libcurl takes.
struct ProxyRoute: Sendable, Equatable {
    /// The proxy's scheme, host and port, without a name or password, so that no message of libcurl's has them; empty
    /// for none.
    var address = ""
    /// Name and password, percent-encoded, with a colon between them.
    var credentials: String?
    /// The proxy's host, in lower case.
    var host = ""
    /// The hosts to go to without the proxy, as in `no_proxy`.
    var exceptions = ""

    /// Straight to the host.
    static let direct = ProxyRoute()

    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// A route through the proxy at an address such as `http://user:password@proxy.example:3128`, or without the scheme.
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
                + "and user:password@ before the host if it wants them, percent-encoded.")
    }
}
