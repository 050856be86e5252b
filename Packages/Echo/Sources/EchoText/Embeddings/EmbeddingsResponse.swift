// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The vectors of one batch.
package struct EmbeddingsResponse: Sendable, Hashable {
    /// A vector for each text, in the order of the texts.
    package var vectors: [[Float]]
    /// The tokens of the texts.
    package var usage: Usage?

    /// Vectors.
    package init(vectors: [[Float]], usage: Usage? = nil) {
        self.vectors = vectors
        self.usage = usage
    }

    /// The vectors in a server's answer, in base64 of little-endian 32-bit floats or as numbers, in the order of
    /// `index`.
    ///
    /// - Parameter count: The number of texts that were sent.
    /// - Throws: `WireError` if a vector is missing, repeated, or invalid, or if their lengths differ.
    package init(json: JSONValue, count: Int) throws(WireError) {
        let object = try WireObject(json, "embeddings")
        let items = object.array("data")
        guard items.count == count else {
            throw WireError("embeddings", field: "data", expected: "array of \(count) vectors")
        }
        var vectors = [[Float]?](repeating: nil, count: count)
        for (position, item) in items.enumerated() {
            let index = item["index"]?.integer ?? position
            guard vectors.indices.contains(index), vectors[index] == nil, let value = item["embedding"],
                let vector = Self.vector(value), !vector.isEmpty
            else { throw WireError("embeddings", field: "data[\(position)]", expected: "vector of its own index") }
            vectors[index] = vector
        }
        let all = vectors.compactMap(\.self)
        guard all.allSatisfy({ $0.count == all.first?.count }) else {
            throw WireError("embeddings", field: "data", expected: "array of vectors of one length")
        }
        self.init(vectors: all, usage: Usage(json: json["usage"]))
    }

    private static func vector(_ value: JSONValue) -> [Float]? {
        switch value {
        case .string(let text): decode(base64: text)
        case .array(let numbers):
            numbers.allSatisfy { $0.double != nil } ? numbers.map { Float($0.double ?? .nan) } : nil
        default: nil
        }
    }

    private static func decode(base64 text: String) -> [Float]? {
        guard let data = Data(base64Encoded: text), data.count.isMultiple(of: 4) else { return nil }
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { offset in
                // SAFETY: four bytes from a multiple of four below the count are in the buffer.
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            }
        }
    }
}
