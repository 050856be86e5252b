// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import HTTPServer
import Networking
import Security

/// A strong validator of an answer (RFC 9110 §8.8.3): the hash of its bytes.
struct EntityTag: Sendable, Hashable {
    /// The tag with its quotation marks.
    let text: String

    init(hash: String) { text = "\"\(hash)\"" }

    init(of body: [UInt8]) throws { self.init(hash: Hexadecimal.text(try SHA256.hash(body))) }

    /// True if the client has it (`If-None-Match`, RFC 9110 §13.1.2, which compares weakly).
    func isKnown(to request: ServerRequest) -> Bool {
        guard let field = request.headers.combined(for: "If-None-Match") else { return false }
        return field.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            return tag.elementsEqual("*") || tag.elementsEqual(text) || tag.elementsEqual("W/" + text)
        }
    }
}

extension ServerResponse {
    /// JSON that a client may keep and must revalidate before each use: 304 if the client has it already.
    static func revalidated(_ body: [UInt8], for request: ServerRequest) throws -> ServerResponse {
        let tag = try EntityTag(of: body)
        let headers: HTTPHeaders = ["ETag": tag.text, "Cache-Control": "private, no-cache", "Vary": "Authorization"]
        guard !tag.isKnown(to: request) else { return ServerResponse(status: 304, headers: headers) }
        var response = ServerResponse.bytes(body, contentType: "application/json")
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}
