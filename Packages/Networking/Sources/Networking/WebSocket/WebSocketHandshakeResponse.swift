// SPDX-License-Identifier: MIT

/// The head of the server's answer to an opening handshake.
public struct WebSocketHandshakeResponse: Error, Sendable, CustomStringConvertible {
    /// The HTTP status, 101 where the server agreed.
    public let status: Int
    /// The fields.
    public let headers: HTTPHeaders

    /// An answer.
    public init(status: Int, headers: HTTPHeaders) {
        self.status = status
        self.headers = headers
    }

    /// The members of a list of tokens, in lower case.
    func tokens(_ name: String) -> [String] {
        headers.values(for: name).flatMap { $0.split(separator: ",") }.map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
                .lowercased()
        }
    }

    /// The status. Fields may hold secrets, so they are not part of it.
    public var description: String { "HTTP status \(status)" }
}
