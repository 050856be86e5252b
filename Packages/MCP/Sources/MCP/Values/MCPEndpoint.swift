// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Networking

/// The HTTP address of a server.
public struct MCPEndpoint: Sendable {
    /// The address.
    public var url: URL
    /// Fields for each request, such as `Authorization: Bearer …`. They are sent to the address's origin alone.
    public var headers: HTTPHeaders
    /// True if plain `http` is allowed to hosts other than this machine. Anyone on the network path can then read it.
    public var allowsPlainHTTP = false

    /// An endpoint.
    public init(_ url: URL, headers: HTTPHeaders = [:]) {
        self.url = url
        self.headers = headers
    }

    var host: String { url.host(percentEncoded: false)?.lowercased() ?? "" }

    private var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    /// Refuses an address that would send secrets unencrypted.
    func check() throws(MCPError) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "https" || scheme == "http", !host.isEmpty else {
            throw MCPError(.invalidServer, "The server's address must begin with https:// and name a host.")
        }
        guard url.user == nil, url.password == nil else {
            throw MCPError(
                .invalidServer, "The server's address has a user name in it. Give an Authorization header instead.")
        }
        guard scheme == "https" || isLocal || allowsPlainHTTP else {
            throw MCPError(
                .insecure,
                "Plain http to \(host) is not allowed: anybody on the way could read and change it. "
                    + "Use https, or set allowsPlainHTTP.")
        }
    }

    /// True if an address has the same scheme, host and port.
    func isSameOrigin(_ other: URL) -> Bool { Self.origin(url) == Self.origin(other) }

    private static func origin(_ url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        return [
            scheme, url.host(percentEncoded: false)?.lowercased() ?? "",
            "\(url.port ?? (scheme == "https" ? 443 : 80))",
        ]
    }
}

/// The time limits of a server.
public struct MCPTimeouts: Sendable, Hashable {
    /// The handshake, from the start of the program or the connection on; 30 s.
    public var connect = Duration.seconds(30)
    /// The answer to `server/discover`, before the handshake is tried; 10 s.
    public var discover = Duration.seconds(10)
    /// An answer, or progress, which restarts the limit; `nil` for ever. 60 s.
    public var request: Duration? = .seconds(60)
    /// An answer, whatever progress arrives; `nil` for ever. 10 minutes.
    public var longestRequest: Duration? = .seconds(600)
    /// The program's end after its input was closed, and again after SIGTERM; then it is killed. 2 s.
    public var shutdown = Duration.seconds(2)

    /// The defaults.
    public init() {}
}
