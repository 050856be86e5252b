// SPDX-License-Identifier: MIT

/// `echo.embeddings`: texts as vectors.
public struct EmbeddingsNamespace: Sendable {
    let client: EmbeddingsClient
    /// The model where a call names none.
    let model: EmbeddingModel

    /// The vector of one text.
    ///
    /// - Parameters:
    ///   - text: Must not be empty; up to 8,192 tokens.
    ///   - model: `nil` uses the configuration's.
    ///   - dimensions: The length of the vector; `nil` for the model's own.
    /// - Throws: ``EchoError``.
    public func embedding(
        from text: String, model: EmbeddingModel? = nil, dimensions: Int? = nil
    ) async throws -> [Float] {
        try await embeddings(from: [text], model: model, dimensions: dimensions).first ?? []
    }

    /// A vector for each text, in the order of the texts. Any number of them: they are sent in batches of up to 100.
    ///
    /// - Throws: ``EchoError``.
    public func embeddings(
        from texts: [String], model: EmbeddingModel? = nil, dimensions: Int? = nil
    ) async throws -> [[Float]] {
        try await client.embeddings(from: texts, model: model ?? self.model, dimensions: dimensions)
    }
}
