// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The source of a request's body.
protocol RequestBodySource: Sendable {
    /// The next bytes, never empty; `nil` at the end.
    func next() async throws -> [UInt8]?
}

/// The body of a request: a sequence of chunks that can be read once.
///
/// **Back-pressure.** Nothing is read from the network before the handler requests the first chunk (the server then
/// answers `Expect: 100-continue`), and reading stops while some 64 KB wait for the handler. A body that the handler
/// leaves unread is dropped.
public struct RequestBody: AsyncSequence, Sendable {
    /// A chunk, never empty.
    public typealias Element = [UInt8]

    /// The length that the client announced; nil if it sends chunks.
    public let length: Int?
    /// The most bytes of the body. Reading beyond it throws a ``ServerProblem`` with 413; so does the first read if
    /// more was announced.
    public var limit: Int
    private let source: any RequestBodySource

    init(length: Int?, limit: Int, source: any RequestBodySource) {
        self.length = length
        self.limit = limit
        self.source = source
    }

    /// A body of these bytes, for tests of handlers.
    public init(_ bytes: [UInt8], limit: Int = .max) {
        self.init(length: bytes.count, limit: limit, source: BufferedBody(bytes))
    }

    /// Iterates over the chunks; at most one iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(length: length, limit: limit, source: source) }

    /// Reads chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol {
        let length: Int?
        let limit: Int
        let source: any RequestBodySource
        private var count = 0

        init(length: Int?, limit: Int, source: any RequestBodySource) {
            self.length = length
            self.limit = limit
            self.source = source
        }

        /// The next chunk, never empty, or `nil` at the end.
        ///
        /// - Throws: A ``ServerProblem`` with 413 over the limit; `CancellationError` after the last byte of a
        ///   client that has gone, and when it was too slow or the server stops.
        public mutating func next() async throws -> [UInt8]? {
            if let length, length > limit { throw ServerProblem.bodyTooLarge(limit: limit) }
            guard let chunk = try await source.next() else { return nil }
            count += chunk.count
            guard count <= limit else { throw ServerProblem.bodyTooLarge(limit: limit) }
            return chunk
        }
    }

    /// All of it.
    ///
    /// - Parameter limit: The most bytes; the smaller of this and the body's own limit holds.
    /// - Throws: The errors of reading.
    public func collect(upTo limit: Int = .max) async throws -> [UInt8] {
        var body = self
        body.limit = Swift.min(limit, self.limit)
        var bytes: [UInt8] = []
        if let length, length <= body.limit { bytes.reserveCapacity(Swift.min(length, 1 << 20)) }
        for try await chunk in body { bytes += chunk }
        return bytes
    }
}

/// Bytes that are in memory.
private actor BufferedBody: RequestBodySource {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func next() -> [UInt8]? {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
    }
}

extension RequestBody {
    /// The body as a value in JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - limit: The most bytes.
    /// - Throws: The errors of reading, and a ``ServerProblem`` with 400 if the body is not such a value.
    public func json<Value: Decodable>(_ type: Value.Type, upTo limit: Int = 64 << 10) async throws -> Value {
        let bytes = try await collect(upTo: limit)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw ServerProblem.badRequest("The body is not the JSON that is expected here.")
        }
    }

    /// The body as a form (`application/x-www-form-urlencoded`).
    ///
    /// - Parameter limit: The most bytes.
    /// - Throws: The errors of reading, and a ``ServerProblem`` with 400 if the body is not a form.
    public func form(upTo limit: Int = 64 << 10) async throws -> QueryItems {
        guard let items = QueryItems(encoded: try await collect(upTo: limit)) else {
            throw ServerProblem.badRequest("The body is not a form.")
        }
        return items
    }
}
