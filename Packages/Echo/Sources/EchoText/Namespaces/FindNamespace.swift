// SPDX-License-Identifier: MIT

/// `echo.find`: what is like something else.
public struct FindNamespace: Sendable {
    let client: EmbeddingsClient

    /// The texts that mean most nearly what `query` does, the nearest first; of two equally near the earlier first.
    ///
    /// All are compared, exactly. Vectors that were made before are taken from the cache; for a large corpus make them once
    /// with ``EmbeddingsNamespace/embeddings(from:model:dimensions:)`` and keep them.
    ///
    /// - Parameters:
    ///   - corpus: Not one of them empty.
    ///   - topK: How many to find; all where there are fewer.
    /// - Returns: The places in the corpus, the texts, and the cosines of the vectors' angles, −1 to 1.
    /// - Throws: ``EchoError``.
    public func similar(
        to query: String, in corpus: [String], topK: Int = 10, model: EmbeddingModel = .textEmbedding3Small
    ) async throws -> [(index: Int, text: String, similarity: Float)] {
        guard !corpus.isEmpty, topK > 0 else { return [] }
        let vectors = try await client.embeddings(from: [query] + corpus, model: model)
        return Similarity.nearest(to: vectors.first ?? [], in: Array(vectors.dropFirst()), count: topK).map {
            (index: $0.index, text: corpus[$0.index], similarity: $0.similarity)
        }
    }

    /// The vectors that point most nearly where `query` does, the nearest first; of two equally near the earlier first.
    /// Those without a direction (zero, or with a component that is not finite) are left out.
    ///
    /// - Parameter vectors: As long as `query`; others are left out.
    /// - Returns: The places in `vectors`, and the cosines of the angles, −1 to 1.
    public func nearest(
        to query: [Float], in vectors: [[Float]], topK: Int = 10
    ) -> [(index: Int, similarity: Float)] {
        Similarity.nearest(to: query, in: vectors, count: topK)
    }
}
