// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// An answer as it goes over the network, for the one case in which libmicrohttpd cannot send it: before the end of a
/// body that is still coming in.
enum EarlyAnswer {
    static func bytes(of response: ServerResponse, to method: HTTPMethod) -> [UInt8] {
        guard case .bytes(let body) = response.body else { return [] }
        var text = "HTTP/1.1 \(response.status) \(StatusNames.name(of: response.status))\r\n"
        if let date = HTTPDate(Date()) { text += "Date: \(date)\r\n" }
        for field in response.headers where !ResponseRules.isWrittenByServer(field.name) {
            text += "\(field.name): \(field.value)\r\n"
        }
        text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + (response.hasBody(for: method) ? body : [])
    }
}
