// SPDX-License-Identifier: MIT

import Domain
public import Echo

extension DomainError {
    /// The error for a model that cannot be reached now; nil for one that answers, if only to refuse.
    init?(unreachable error: EchoError) {
        switch error {
        // `offline` is for a server to which something waits to be sent.
        case .connectionFailed: self = .server(error.sentence)
        case .timedOut: self = .timedOut(.answer)
        case .rateLimitExceeded: self = .server(error.sentence)
        case .streamInterrupted(let interruption):
            switch interruption.reason {
            case .connectionLost, .endedEarly: self = .server("The answer broke off. \(interruption.message)")
            case .timedOut: self = .timedOut(.answer)
            default: return nil
            }
        case .apiError(let failure) where (failure.status ?? 0) >= 500:
            self = .server(error.withReason(failure.description))
        default: return nil
        }
    }
}

/// The server has nothing at the address, which lacks the version that base URLs usually end in.
public struct NothingAtAddress: Error {
    /// The address that was asked.
    public let address: String
    /// The server's answer.
    public let answer: String

    /// Nil if the error has another cause than the address.
    public init?(_ error: any Error, at endpoint: EchoEndpoint, path: String) {
        guard case .notFound(let failure)? = error as? EchoError,
            endpoint.baseURL.firstMatch(of: /\/v[0-9][0-9a-z]*$/) == nil
        else { return nil }
        address = "\(endpoint.baseURL)/\(path)"
        answer = failure.description
    }
}
