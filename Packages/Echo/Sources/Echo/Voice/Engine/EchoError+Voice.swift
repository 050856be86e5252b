// SPDX-License-Identifier: MIT

internal import AudioKitLinux

extension EchoError {
    /// The failure that a session which could not be opened means for the next.
    var sessionFailure: SessionLifecycle.Failure {
        switch self {
        case .connectionFailed, .timedOut, .rateLimitExceeded, .malformedResponse: .broken(retryAfter: nil)
        case .apiError(let failure):
            SessionLifecycle.Failure(
                status: failure.status, message: failure.message, retryAfter: failure.retryAfter)
        default: .refused(description)
        }
    }

    /// The error for a failure of a voice conversation.
    ///
    /// - Parameter last: The reason why the last session could not be opened.
    init(_ failure: VoiceFailure, last: EchoError? = nil) {
        switch failure {
        case .api(let failure): self = EchoError(failure)
        case .session(let failure): self = EchoError(failure, last: last)
        case .device(let reason): self = .audioError(reason)
        case .timedOut: self = .timedOut("The server, or the loudspeaker, did not react. Try again.")
        case .rateLimited: self = .rateLimitExceeded
        case .tooManyCalls(let rounds, let limit): self = .tooManyCalls(rounds: rounds, limit: limit)
        case .callsPending(let ids):
            self = .toolExecutionFailed(
                "The calls \(ids.joined(separator: ", ")) wait for results: submit them first.")
        case .notPending(let id): self = .toolExecutionFailed("No call \(id) waits for a result.")
        case .stopped: self = last ?? .connectionFailed("The voice conversation is over.")
        }
    }

    /// The error for a session that is gone.
    init(_ failure: SessionLifecycle.Failure, last: EchoError?) {
        switch failure {
        case .refused(let reason): self = last ?? .connectionFailed(reason)
        case .broken:
            self = last ?? .connectionFailed("The session broke, and no other could be opened. Check the network.")
        }
    }
}

extension EchoError {
    /// The error of a device or a sound file, with its advice.
    init(audio error: any Error) {
        self = .audioError((error as? AudioError)?.message ?? "\(error)")
    }
}

extension ModeChangeReason {
    /// - Parameter last: The reason why the last session could not be opened.
    init(_ fallback: VoiceFallback, last: EchoError?) {
        switch fallback {
        case .budget(let spent, let limit): self = .budgetExceeded(spent: spent, limit: limit)
        case .failure(let failure): self = .failed(EchoError(failure, last: last))
        }
    }
}
