// SPDX-License-Identifier: MIT

import Networking

/// The end of a request's body (RFC 9112 §6), read so that two servers in a row cannot disagree: anything ambiguous is
/// refused, since a server in front may take the rest for another request (request smuggling).
enum RequestFraming: Hashable, Sendable {
    /// No body.
    case none
    /// A body of this many bytes.
    case length(Int)
    /// A body of chunks, up to the last one.
    case chunked

    /// The framing that a header declares.
    ///
    /// - Parameter isHTTP11: True if the request is HTTP/1.1; 1.0 has no chunks.
    /// - Throws: A ``ServerProblem`` that names the broken rule.
    init(_ headers: HTTPHeaders, isHTTP11: Bool) throws(ServerProblem) {
        let lengths = headers.values(for: "Content-Length")
        let encodings = headers.values(for: "Transfer-Encoding")
        guard encodings.isEmpty else {
            guard lengths.isEmpty else { throw .badRequest("Content-Length and Transfer-Encoding exclude each other.") }
            guard encodings.count == 1, isHTTP11 else {
                throw .badRequest("Transfer-Encoding may occur once, and in HTTP/1.1 only.")
            }
            guard encodings[0].lowercased() == "chunked" else {
                throw ServerProblem(status: 501, detail: "The only transfer coding that is understood is chunked.")
            }
            self = .chunked
            return
        }
        guard let text = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { throw .badRequest("Content-Length must occur once and be a number.") }
        self = length == 0 ? .none : .length(length)
    }
}
