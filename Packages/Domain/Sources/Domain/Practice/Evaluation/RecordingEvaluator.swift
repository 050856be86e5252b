// SPDX-License-Identifier: MIT

/// What evaluates recordings: this device, or the server.
///
/// Throws ``DomainError`` or `CancellationError`.
public protocol RecordingEvaluator: Sendable {
    /// Evaluates a recording of a cue. Ends with the evaluation; until then it tells how far it is, and nothing is kept for
    /// a slow reader but the newest state.
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
