// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The content of a response, chunk by chunk, once.
///
/// The transport stops reading from the network when the reader is a few hundred kilobytes behind. Dropping the body
/// without reading it to its end closes the transfer; so does cancelling the reading task, which throws
/// `CancellationError`.
public struct HTTPResponseBody: AsyncSequence, Sendable {
    /// A chunk of bytes, never empty.
    public typealias Element = [UInt8]

    private let source: any HTTPBodySource

    /// A body from a transport's source.
    public init(source: any HTTPBodySource) {
        self.source = source
    }

    /// A body in memory.
    public init(_ bytes: [UInt8]) {
        source = BufferedBodySource(bytes)
    }

    /// Continues after the last chunk that any iterator read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// Facts about the whole transfer; complete when the last chunk was read.
    public var summary: HTTPTransferSummary { source.summary }

    /// Reads all bytes left.
    ///
    /// - Parameter limit: The most bytes to hold.
    /// - Throws: `NetworkError` with the code `responseTooLarge` beyond the limit, and the transfer's errors.
    public func collect(upTo limit: Int = 64 << 20) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await chunk in self {
            guard all.count + chunk.count <= limit else { throw NetworkError.responseTooLarge(limit: limit) }
            if all.isEmpty { all = chunk } else { all.append(contentsOf: chunk) }
        }
        return all
    }

    /// Reads chunks.
    public struct Iterator: AsyncIteratorProtocol {
        let source: any HTTPBodySource

        /// The next chunk, or `nil` at the end.
        public mutating func next() async throws -> [UInt8]? {
            try await source.next()
        }

        /// The next chunk, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            try await source.next()
        }
    }
}

/// The source of a response's body. For transports and stages that wrap a body.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// Facts about the transfer so far.
    var summary: HTTPTransferSummary { get }
    /// The next chunk, never empty; `nil` at the end and ever after.
    ///
    /// - Throws: `NetworkError` when the transfer fails, `CancellationError` when the reading task is cancelled.
    func next() async throws -> [UInt8]?
}

/// A body that is all in memory.
final class BufferedBodySource: HTTPBodySource {
    let summary: HTTPTransferSummary
    private let rest: Guarded<[UInt8]>

    init(_ bytes: [UInt8], summary: HTTPTransferSummary? = nil) {
        rest = Guarded(bytes)
        self.summary = summary ?? HTTPTransferSummary(bytesReceived: bytes.count)
    }

    func next() async throws -> [UInt8]? {
        rest.withLock { rest in
            let bytes = rest
            rest = []
            return bytes.isEmpty ? nil : bytes
        }
    }
}
