// SPDX-License-Identifier: MIT

import Digests
import Networking
import Persistence

/// Stored vectors of texts, by server, model, length and content.
struct VectorCache: Sendable {
    let store: CacheStore
    /// Server, model and length.
    let space: String

    func vector(of text: String) async throws -> [Float]? {
        guard let bytes = try await store.entry(for: try key(text))?.value, bytes.count.isMultiple(of: 4) else {
            return nil
        }
        return stride(from: 0, to: bytes.count, by: 4).map { offset in
            Float(bitPattern: bytes[offset..<offset + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
        }
    }

    func keep(_ vector: [Float], of text: String) async throws {
        let bytes = vector.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        }
        try await store.set(bytes, for: try key(text))
    }

    func close() async { await store.close() }

    private func key(_ text: String) throws -> String {
        let content = Array("\(space.utf8.count) \(space)\(text)".utf8)
        return try Hexadecimal.text(MessageDigest.hash(content, .sha256))
    }
}
