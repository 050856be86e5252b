// SPDX-License-Identifier: MIT

/// `echo.find`: search by similarity.
public struct FindNamespace: Sendable {
    let client: EmbeddingsClient
    /// The model where a call names none.
    let model: EmbeddingModel

    /// The texts nearest in meaning to `query`, the nearest first; of two equally near the earlier first.
    ///
    /// All are compared, exactly. Vectors of earlier requests are taken from the cache; for a large corpus make them
    /// once with ``EmbeddingsNamespace/embeddings(from:model:dimensions:)`` and keep them.
    ///
    /// - Parameters:
    ///   - corpus: None of the texts may be empty.
    ///   - topK: The number to find; all if there are fewer.
    ///   - model: `nil` uses the configuration's.
    /// - Returns: The indices in the corpus, the texts, and the cosines of the vectors' angles, −1 to 1.
    /// - Throws: ``EchoError``.
    public func similar(
        to query: String, in corpus: [String], topK: Int = 10, model: EmbeddingModel? = nil
    ) async throws -> [(index: Int, text: String, similarity: Float)] {
        guard !corpus.isEmpty, topK > 0 else { return [] }
        let vectors = try await client.embeddings(from: [query] + corpus, model: model ?? self.model)
        return Similarity.nearest(to: vectors.first ?? [], in: Array(vectors.dropFirst()), count: topK).map {
            (index: $0.index, text: corpus[$0.index], similarity: $0.similarity)
        }
    }

    /// The vectors nearest in direction to `query`, the nearest first; of two equally near the earlier first. Those
    /// without a direction (zero, or with a component that is not finite) are left out.
    ///
    /// - Parameter vectors: Must be as long as `query`; others are left out.
    /// - Returns: The indices in `vectors`, and the cosines of the angles, −1 to 1.
    public func nearest(
        to query: [Float], in vectors: [[Float]], topK: Int = 10
    ) -> [(index: Int, similarity: Float)] {
        Similarity.nearest(to: query, in: vectors, count: topK)
    }
}
