// SPDX-License-Identifier: MIT

import AuthServer
import HTTPServer
import Networking

/// The client of a request.
struct ClientAddress: Sendable {
    /// The number of the operator's proxies before the server. Each adds one address to `X-Forwarded-For`, at the end
    /// of the last line or as a separate line; the client may have invented the text before those.
    let proxyCount: Int

    /// The address that the outermost proxy saw; the connection's if the proxies name none.
    func prefix(of request: ServerRequest) -> NetworkPrefix {
        let connection = NetworkPrefix(address: request.remoteAddress?.host ?? "")
        guard proxyCount > 0 else { return connection }
        // Lines with one name are one list, in their order (RFC 9110 §5.3); empty elements do not count (§5.6.1.2).
        let forwarded = request.headers.values(for: "X-Forwarded-For").flatMap { $0.split(separator: ",") }
            .map { $0.drop(while: Self.isSpace) }.filter { !$0.isEmpty }
        guard forwarded.count >= proxyCount else { return connection }
        let address = forwarded[forwarded.count - proxyCount].reversed().drop(while: Self.isSpace).reversed()
        return NetworkPrefix(literal: String(address)) ?? connection
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// The program's name (RFC 9110 §10.1.5).
    func device(of request: ServerRequest) -> String { request.headers["User-Agent"] ?? "" }
}
