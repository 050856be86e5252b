// SPDX-License-Identifier: MIT

/// A request's body.
public enum HTTPBody: Sendable {
    /// Nothing.
    case none
    /// Bytes in memory.
    case bytes([UInt8])
    /// Chunks that are made while the request is being sent.
    case stream(HTTPBodyStream)
    /// The content of a file, read piece by piece; it must not change meanwhile.
    case file(path: String)

    /// A text in UTF-8.
    public static func text(_ text: String) -> HTTPBody {
        .bytes(Array(text.utf8))
    }

    /// True if a second attempt can send the same content again.
    public var isRepeatable: Bool {
        if case .stream(let stream) = self { stream.isRepeatable } else { true }
    }
}

/// A request body that is made chunk by chunk. The transport asks for the next chunk when it has sent the last one, so
/// a slow network slows the source down.
public struct HTTPBodyStream: Sendable {
    /// The number of bytes; nil if unknown: then HTTP/1.1 sends chunks with a length each.
    public let length: Int?
    /// True if the source can be read from its start again, for a retry.
    public let isRepeatable: Bool

    private let forEach: @Sendable (_ consume: @Sendable ([UInt8]) async throws -> Void) async throws -> Void

    /// A body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: The chunks; empty ones are skipped. Its error becomes the cause of the request's error.
    ///   - length: The number of bytes in all. More or fewer are an error.
    ///   - isRepeatable: True if the sequence starts anew for each iteration.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil, isRepeatable: Bool = false
    ) where Chunks.Element == [UInt8] {
        self.length = length
        self.isRepeatable = isRepeatable
        forEach = { consume in
            for try await chunk in chunks where !chunk.isEmpty { try await consume(chunk) }
        }
    }

    /// Hands every chunk to `consume`, one after another. For transports.
    public func read(_ consume: @Sendable ([UInt8]) async throws -> Void) async throws {
        try await forEach(consume)
    }
}
