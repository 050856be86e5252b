// SPDX-License-Identifier: MIT

/// What was made of recordings. Every implementation passes `EvaluationStoreContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol EvaluationStore: Sendable {
    /// Keeps an evaluation; a later one of the same source replaces it.
    func store(_ evaluation: Evaluation, of recording: Identifier<Recording>) async throws

    /// What was made of a recording, by source.
    func evaluations(of recording: Identifier<Recording>) async throws -> [Evaluation.Source: Evaluation]
}
