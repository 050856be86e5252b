// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import Networking

/// The key of a text's vector: SHA-256 of model, dimensions and text.
struct EmbeddingKey: Hashable, Sendable {
    private let digest: [UInt8]

    init(_ text: String, model: EmbeddingModel, dimensions: Int?) throws {
        var hash = try MessageDigest(.sha256)
        for part in [model.rawValue, "\(dimensions ?? 0)", text] {
            // With its length before it, no part can be mistaken for the end of another.
            for piece in ["\(part.utf8.count):", part] { Array(piece.utf8).withUnsafeBytes { hash.update($0) } }
        }
        digest = hash.finish()
    }
}

/// Vectors of earlier requests, up to a number of bytes; the least recently used are removed first.
final class EmbeddingsCache: Sendable {
    private struct Entry {
        let vector: [Float]
        var lastUse: UInt64
    }

    private struct State {
        var entries: [EmbeddingKey: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0
    }

    private static let overhead = 128
    private let limit: Int
    private let state = Guarded(State())

    /// - Parameter limit: In bytes; 0 keeps nothing.
    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.entries.count } }

    subscript(key: EmbeddingKey) -> [Float]? {
        state.withLock { state in
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return state.entries[key]?.vector
        }
    }

    func add(_ vector: [Float], for key: EmbeddingKey) {
        let size = Self.size(vector)
        guard size <= limit else { return }
        state.withLock { state in
            state.uses += 1
            if let old = state.entries[key] { state.bytes -= Self.size(old.vector) }
            state.entries[key] = Entry(vector: vector, lastUse: state.uses)
            state.bytes += size
            if state.bytes > limit { Self.shrink(&state, to: max(size, limit / 4 * 3)) }
        }
    }

    /// Removes a quarter at once, so that sorting costs little for each vector.
    private static func shrink(_ state: inout State, to limit: Int) {
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.bytes > limit else { return }
            state.entries[key] = nil
            state.bytes -= size(entry.vector)
        }
    }

    private static func size(_ vector: [Float]) -> Int { vector.count * MemoryLayout<Float>.size + overhead }
}
