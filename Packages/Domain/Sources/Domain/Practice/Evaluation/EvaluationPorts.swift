// SPDX-License-Identifier: MIT

/// Evaluates recordings, on this device or at the server. Every implementation passes `RecordingEvaluatorContract` in
/// `DomainTestSupport`.
///
/// Throws ``DomainError`` (``DomainError/notFound(_:)`` where the sound is missing) or `CancellationError`, and may be
/// called concurrently.
public protocol RecordingEvaluator: Sendable {
    /// Evaluates a recording of a cue. Ends with the evaluation; until then it yields progress, and keeps only the
    /// newest state for a slow reader. A reader that is cancelled gets no evaluation.
    func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error>
}

/// The progress of an evaluation.
public enum EvaluationProgress: Hashable, Sendable {
    /// The upload: bytes that have arrived, of the total.
    case uploading(Int, of: Int)
    /// It waits in the queue, or its analysis runs.
    case analysing
    /// The last state.
    case done(Evaluation)
}

/// A store of evaluations of recordings. Every implementation passes `EvaluationStoreContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol EvaluationStore: Sendable {
    /// Keeps an evaluation; a later one of the same source replaces it.
    func store(_ evaluation: Evaluation, of recording: Identifier<Recording>) async throws

    /// The evaluations of a recording, by source.
    func evaluations(of recording: Identifier<Recording>) async throws -> [Evaluation.Source: Evaluation]
}
