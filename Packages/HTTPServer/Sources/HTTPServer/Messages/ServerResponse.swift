// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Networking

/// A handler's answer.
///
/// The server writes `Content-Length`, `Transfer-Encoding`, `Date` and `X-Request-Id` itself, and leaves the body out
/// where HTTP has none (HEAD, 204, 304). A field whose name is not a token or whose value has a control character in it
/// is a fault of the handler: the client gets a 500, and never an injected header.
public struct ServerResponse: Sendable {
    /// The bytes after the header.
    public enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that a function writes while they are sent; see `ServerResponse.stream`.
        case stream(length: Int?, write: @Sendable (ResponseWriter) async throws -> Void)
        /// A WebSocket; see ``ServerResponse/webSocket(for:subprotocols:configuration:_:)``.
        case webSocket(WebSocketUpgrade)
    }

    /// The status; 200 to 599, or 101 for a WebSocket.
    public var status: Int
    /// The header's fields. `Connection: close` ends the connection after the answer.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body
    /// True if the body continues until one side ends it, so that a server that stops need not wait.
    var isEndless = false

    /// An answer.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Text.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": contentType], body: .bytes(Array(text.utf8)))
    }

    /// Bytes.
    public static func bytes(
        _ bytes: [UInt8], status: Int = 200, contentType: String = "application/octet-stream"
    ) -> ServerResponse {
        ServerResponse(status: status, headers: ["Content-Type": contentType], body: .bytes(bytes))
    }

    /// A value in JSON, with the members in the order of their names.
    public static func json(_ value: some Encodable, status: Int = 200) throws -> ServerResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .bytes([UInt8](try encoder.encode(value)), status: status, contentType: "application/json")
    }

    /// 204, without a body.
    public static let noContent = ServerResponse(status: 204)

    /// A redirect.
    public static func redirect(to location: String, status: Int = 303) -> ServerResponse {
        ServerResponse(status: status, headers: ["Location": location])
    }

    /// A body that is written while it is sent: a download, or events.
    ///
    /// `write` runs in the task of the handler, after it. ``ResponseWriter/write(_:)-([UInt8])`` waits while the client
    /// is slow. When the client disconnects or the server stops, the task is cancelled and writing throws
    /// `CancellationError`. When `write` throws, or writes less than `length`, the connection is cut, so that the
    /// client notices the missing part. It is not called for HEAD.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The fields; name a `Content-Type`.
    ///   - length: The number of bytes that will be written; nil if unknown, which sends chunks.
    ///   - write: Writes the bytes.
    public static func stream(
        status: Int = 200, headers: HTTPHeaders = [:], length: Int? = nil,
        _ write: @escaping @Sendable (ResponseWriter) async throws -> Void
    ) -> ServerResponse {
        ServerResponse(status: status, headers: headers, body: .stream(length: length, write: write))
    }

    /// A body from a sequence of chunks.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        status: Int = 200, headers: HTTPHeaders = [:], length: Int? = nil, _ chunks: Chunks
    ) -> ServerResponse where Chunks.Element == [UInt8] {
        stream(status: status, headers: headers, length: length) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
    }
}

/// The sink of a response's body.
protocol ResponseSink: Sendable {
    /// Writes bytes, and returns when there is room for more.
    func write(_ bytes: [UInt8]) async throws
}

/// Writes the body of one answer. One writer at a time.
public struct ResponseWriter: Sendable {
    private let sink: any ResponseSink

    init(_ sink: any ResponseSink) {
        self.sink = sink
    }

    /// Writes bytes, and returns when less than some 64 KB wait for the network.
    ///
    /// - Throws: `CancellationError` when the client has gone, the task was cancelled, or the server stops; a
    ///   ``HTTPServerError`` with the code `invalidResponse` over the announced length.
    public func write(_ bytes: [UInt8]) async throws {
        if bytes.isEmpty { return }
        try await sink.write(bytes)
    }

    /// Writes text in UTF-8.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }
}
