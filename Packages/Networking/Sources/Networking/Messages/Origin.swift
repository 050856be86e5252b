// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Where an address leads as far as trust, connections and limits go: scheme, host and port (RFC 6454).
struct Origin: Hashable, Sendable, CustomStringConvertible {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin of an absolute address.
    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin as text, `https://host:443`.
    var description: String { "\(scheme)://\(host):\(port)" }
}
