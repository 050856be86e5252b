// SPDX-License-Identifier: MIT

/// Turns text into vectors: a server, or a script in a test.
public protocol EmbeddingsService: Sendable {
    /// Sends one request, for one batch.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse
}
