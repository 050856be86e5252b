// SPDX-License-Identifier: MIT

/// So many bytes in pieces of 64 KB, made while they are asked for.
struct Chunks: AsyncSequence, Sendable {
    let count: Int

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int
        let chunk = [UInt8](repeating: 7, count: 64 << 10)

        mutating func next() async throws -> [UInt8]? {
            guard rest > 0 else { return nil }
            let size = Swift.min(rest, chunk.count)
            rest -= size
            return size == chunk.count ? chunk : Array(chunk[..<size])
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: count) }
}
