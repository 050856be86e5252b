// SPDX-License-Identifier: MIT

import AuthServer
import HTTPServer
import Networking

/// Who a request comes from.
struct ClientAddress: Sendable {
    /// How many proxies of the operator's stand before the server; each adds one address to `X-Forwarded-For`, and what stands
    /// before those is the client's own invention.
    let proxyCount: Int

    func prefix(of request: ServerRequest) -> NetworkPrefix {
        let remote = request.remoteAddress?.host ?? ""
        guard proxyCount > 0 else { return NetworkPrefix(address: remote) }
        let forwarded = (request.headers["X-Forwarded-For"] ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard forwarded.count >= proxyCount else { return NetworkPrefix(address: remote) }
        return NetworkPrefix(address: forwarded[forwarded.count - proxyCount])
    }

    /// What the program calls itself (RFC 9110 §10.1.5).
    func device(of request: ServerRequest) -> String { request.headers["User-Agent"] ?? "" }
}
