// SPDX-License-Identifier: MIT

/// What evaluates recordings: this device, or the server. Every implementation passes `RecordingEvaluatorContract` in
/// `DomainTestSupport`.
///
/// Throws ``DomainError`` (``DomainError/notFound(_:)`` where the sound is missing) or `CancellationError`, and may be called
/// concurrently.
public protocol RecordingEvaluator: Sendable {
    /// Evaluates a recording of a cue. Ends with the evaluation; until then it tells how far it is, and nothing is kept for
    /// a slow reader but the newest state. A reader that is cancelled gets no evaluation.
    func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error>
}

/// How far an evaluation is.
public enum EvaluationProgress: Hashable, Sendable {
    /// The recording is on its way: bytes there, of so many.
    case uploading(Int, of: Int)
    /// It waits for its turn, or is being worked on.
    case analysing
    /// The last state.
    case done(Evaluation)
}

/// What was made of recordings. Every implementation passes `EvaluationStoreContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol EvaluationStore: Sendable {
    /// Keeps an evaluation; a later one of the same source replaces it.
    func store(_ evaluation: Evaluation, of recording: Identifier<Recording>) async throws

    /// What was made of a recording, by source.
    func evaluations(of recording: Identifier<Recording>) async throws -> [Evaluation.Source: Evaluation]
}
