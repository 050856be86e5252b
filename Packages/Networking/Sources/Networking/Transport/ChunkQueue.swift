// SPDX-License-Identifier: MIT

/// Bytes that wait for a reader, in chunks that a reader can take at once.
struct ChunkQueue: Sendable {
    /// The largest chunk, in bytes.
    static let maximumChunk = 256 << 10

    private var chunks: [[UInt8]] = []
    private var first = 0

    /// The number of waiting bytes.
    private(set) var count = 0

    /// True if no bytes wait.
    var isEmpty: Bool { count == 0 }

    /// Appends all of `bytes` and leaves it empty.
    mutating func take(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if chunks.isEmpty, bytes.count <= Self.maximumChunk {
            chunks.append(bytes)
            bytes = []
            return
        }
        var rest = bytes[...]
        if chunks.count > first, case let last = chunks.count - 1, chunks[last].count < Self.maximumChunk {
            let part = rest.prefix(Self.maximumChunk - chunks[last].count)
            chunks[last].append(contentsOf: part)
            rest = rest.dropFirst(part.count)
        }
        while !rest.isEmpty {
            let part = rest.prefix(Self.maximumChunk)
            chunks.append(Array(part))
            rest = rest.dropFirst(part.count)
        }
        bytes.removeAll(keepingCapacity: bytes.count <= Self.maximumChunk)
    }

    /// Removes and returns the next chunk, if there is one.
    mutating func next() -> [UInt8]? {
        guard first < chunks.count else { return nil }
        var chunk: [UInt8] = []
        swap(&chunk, &chunks[first])
        first += 1
        count -= chunk.count
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        }
        return chunk
    }
}
