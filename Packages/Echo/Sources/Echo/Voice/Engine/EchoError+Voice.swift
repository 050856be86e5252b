// SPDX-License-Identifier: MIT

extension EchoError {
    /// The meaning of a session's failed opening for the next attempt.
    var sessionFailure: SessionLifecycle.Failure {
        switch self {
        case .connectionFailed, .timedOut, .rateLimitExceeded, .malformedResponse: .broken(retryAfter: nil)
        case .apiError(let failure):
            SessionLifecycle.Failure(
                status: failure.status, message: failure.message, retryAfter: failure.retryAfter)
        default: .refused(description)
        }
    }

    /// The error for a failure in a voice conversation.
    ///
    /// - Parameter last: The error with which the last session could not be opened.
    init(_ failure: VoiceFailure, last: EchoError? = nil) {
        switch failure {
        case .api(let failure): self = EchoError(failure)
        case .session(let failure): self = EchoError(failure, last: last)
        case .timedOut: self = .timedOut("The server, or the loudspeaker, did not react. Try again.")
        case .tooManyCalls(let rounds, let limit): self = .tooManyCalls(rounds: rounds, limit: limit)
        case .stopped: self = last ?? .connectionFailed("The voice conversation is over.")
        }
    }

    /// The error that says why no session is left.
    init(_ failure: SessionLifecycle.Failure, last: EchoError?) {
        switch failure {
        case .refused(let reason): self = last ?? .connectionFailed(reason)
        case .broken:
            self = last ?? .connectionFailed("The session broke, and no other could be opened. Check the network.")
        }
    }
}
