// SPDX-License-Identifier: MIT

import Concurrency

/// The reason for which a statement is cancelled.
enum Interruption {
    case cancelled
    case timedOut

    var error: any Error {
        switch self {
        case .cancelled: CancellationError()
        case .timedOut:
            PostgresError(
                code: .timeout,
                message: "A statement took longer than its time limit and was cancelled. Shorten it, or raise "
                    + "statementTimeout.")
        }
    }
}

/// Statements that are sent together and end with one synchronisation, in the order of the answers that follow.
struct StatementBatch {
    typealias Outcome = Result<[PostgresResult], any Error>

    enum Step {
        case prepare(PreparedStatement)
        case release(String)
        case run(PreparedStatement?)
    }

    let id: UInt64
    let deadline: MonotonicTime
    /// True if a COMMIT is in it: if the connection is lost, its outcome is unknown.
    let commits: Bool
    let completion: @Sendable (Outcome) -> Void
    var steps: [Step] = []
    var nextStep = 0
    var results: [PostgresResult] = []
    var error: PostgresError?
    var interruption: Interruption?

    /// The steps that the server has not confirmed.
    var unconfirmed: ArraySlice<Step> { steps[nextStep...] }

    /// The outcome after the synchronisation.
    var outcome: Outcome {
        guard let error else { return .success(results) }
        if let interruption, error.code == .cancelled { return .failure(interruption.error) }
        return .failure(error)
    }

    /// The outcome if the connection is lost.
    func outcome(ofLoss loss: PostgresError) -> Outcome {
        if commits {
            return .failure(
                PostgresError(
                    code: .commitUnknown,
                    message:
                        "The connection was lost during COMMIT, so the transaction may be stored or not. Read what "
                        + "it would have changed before you repeat it.", sqlState: error?.sqlState))
        }
        if let interruption { return .failure(interruption.error) }
        return .failure(error ?? loss)
    }
}
