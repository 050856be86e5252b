// SPDX-License-Identifier: MIT

/// Bytes in chunks, none of them empty. A slow reader slows the source down: at most a few chunks are held.
public struct ObjectChunks: AsyncSequence, Sendable {
    /// A chunk.
    public typealias Element = [UInt8]
    /// Returns the next chunk; nil at the end.
    typealias Next = () async throws -> [UInt8]?

    private let begin: @Sendable () -> Next

    /// Chunks from a closure that begins to read them.
    init(_ begin: @escaping @Sendable () -> Next) { self.begin = begin }

    /// The chunks of another sequence.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == [UInt8] {
        self.init {
            var iterator = chunks.makeAsyncIterator()
            return {
                while let chunk = try await iterator.next() {
                    if !chunk.isEmpty { return chunk }
                }
                return nil
            }
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(advance: begin()) }

    /// Reads chunks.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let advance: Next

        /// The next chunk; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await advance() }
    }
}
