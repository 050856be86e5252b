// SPDX-License-Identifier: MIT

import Auth
import Domain
import Networking

/// Errors of connections to servers and of signing in. A new code counts as the server's error until it has a row here;
/// the tests require a row for each code.
extension DomainError {
    init(_ error: NetworkError) {
        self = Self.networkMeanings[error.code]?(error) ?? .server(Sentence(verbatim: error.message))
    }

    init(_ error: AuthError) {
        self = Self.authMeanings[error.code]?(error) ?? .server(Sentence(verbatim: error.message))
    }

    private typealias Meaning<Failure> = @Sendable (Failure) -> DomainError

    private static let networkMeanings: [NetworkError.Code: Meaning<NetworkError>] = [
        .invalidRequest: { .invalidInput(Sentence(verbatim: $0.message)) },
        .insecure: { .invalidInput(Sentence(verbatim: $0.message)) },
        .resolve: { .offline(Sentence(verbatim: $0.message)) },
        .connect: { .offline(Sentence(verbatim: $0.message)) },
        .proxy: { .offline(Sentence(verbatim: $0.message)) },
        .secure: { .offline(Sentence(verbatim: $0.message)) },
        .certificate: { .server(Sentence(verbatim: $0.message)) },
        .pin: { .server(Sentence(verbatim: $0.message)) },
        .connectionLost: { .offline(Sentence(verbatim: $0.message)) },
        .invalidResponse: { .server(Sentence(verbatim: $0.message)) },
        .connectTimeout: { _ in .timedOut(.connection) },
        .firstByteTimeout: { _ in .timedOut(.answer) },
        .idleTimeout: { _ in .timedOut(.answer) },
        .timeout: { _ in .timedOut(.answer) },
        .responseTooLarge: { .server(Sentence(verbatim: $0.message)) },
        .headerTooLarge: { .server(Sentence(verbatim: $0.message)) },
        .outOfMemory: { .generationFailed(Sentence(verbatim: $0.message)) },
        .redirect: { .server(Sentence(verbatim: $0.message)) },
        .requestBody: { .file(Sentence(verbatim: $0.message)) },
        .status: { meaning(ofStatus: $0) },
        .decoding: { .server(Sentence(verbatim: $0.message)) },
        .unauthorized: { _ in .signInNeeded },
        .refreshLimit: { _ in .rateLimited(retryAfter: 30) },
        .circuitOpen: { .offline(Sentence(verbatim: $0.message)) },
        .notCached: { .offline(Sentence(verbatim: $0.message)) },
        .file: { .file(Sentence(verbatim: $0.message)) },
        .closed: { .offline(Sentence(verbatim: $0.message)) },
        .eventTooLarge: { .server(Sentence(verbatim: $0.message)) },
        .notAnEventStream: { .server(Sentence(verbatim: $0.message)) },
        .webSocketProtocol: { .server(Sentence(verbatim: $0.message)) },
        .hostKey: { .server(Sentence(verbatim: $0.message)) },
        .remoteAccessDenied: { .server(Sentence(verbatim: $0.message)) },
        .remoteDiskFull: { .overLimit(Sentence(verbatim: $0.message)) },
        .remoteFailure: { .server(Sentence(verbatim: $0.message)) },
        .remoteFileMissing: { .server(Sentence(verbatim: $0.message)) },
        .webSocketText: { .server(Sentence(verbatim: $0.message)) },
        .webSocketMessageTooBig: { .server(Sentence(verbatim: $0.message)) },
        .webSocketHandshake: { .server(Sentence(verbatim: $0.message)) },
        .deliveryUnknown: { .server(Sentence(verbatim: $0.message)) },
        .libraryMissing: { .generationFailed(Sentence(verbatim: $0.message)) },
        .digestUnavailable: { .generationFailed(Sentence(verbatim: $0.message)) },
        .other: { .server(Sentence(verbatim: $0.message)) },
    ]

    private static func meaning(ofStatus error: NetworkError) -> DomainError {
        let reason = Sentence(verbatim: error.problem?.detail ?? error.problem?.title ?? error.message)
        switch error.status {
        case 401: return .signInNeeded
        case 404, 410: return .notFound("such thing at the server")
        case 408: return .timedOut(.answer)
        case 413: return .overLimit(reason)
        case 429: return .rateLimited(retryAfter: seconds(error.retryAfter) ?? 30)
        // Another client holds the resource, or it is too early: a later attempt may succeed.
        case 423, 425: return .server(reason)
        case 503 where error.retryAfter != nil: return .rateLimited(retryAfter: seconds(error.retryAfter) ?? 30)
        case .some(400..<500): return .invalidInput("The server turned it down: \(reason)")
        default: return .server(reason)
        }
    }

    private static func seconds(_ duration: Duration?) -> Int? {
        duration.map { Int(($0 / .seconds(1)).rounded(.up)) }
    }

    private static let authMeanings: [AuthError.Code: Meaning<AuthError>] = [
        .wrongCode: { .invalidInput(Sentence(verbatim: $0.message)) },
        .expired: { .invalidInput(Sentence(verbatim: $0.message)) },
        .alreadyUsed: { .invalidInput(Sentence(verbatim: $0.message)) },
        .tooManyAttempts: { .rateLimited(retryAfter: seconds($0)) },
        .tooManyMails: { .rateLimited(retryAfter: seconds($0)) },
        .noNetwork: { .offline(Sentence(verbatim: $0.message)) },
        .notTrusted: { .server(Sentence(verbatim: $0.message)) },
        .signedOut: { _ in .signInNeeded },
        .reused: { _ in .signInNeeded },
        .unauthorized: { _ in .signInNeeded },
        .invalidLink: { .invalidInput(Sentence(verbatim: $0.message)) },
        .wrongDevice: { .invalidInput(Sentence(verbatim: $0.message)) },
        .noPendingSignIn: { .invalidInput(Sentence(verbatim: $0.message)) },
        .alreadySignedIn: { .invalidInput(Sentence(verbatim: $0.message)) },
        .invalidAddress: { .invalidInput(Sentence(verbatim: $0.message)) },
        .unsupported: { .server(Sentence(verbatim: $0.message)) },
        .refused: { .server(Sentence(verbatim: $0.message)) },
        .server: { .server(Sentence(verbatim: $0.message)) },
        .storage: { .storage(Sentence(verbatim: $0.message)) },
        .busy: { .storage(Sentence(verbatim: $0.message)) },
        .invalidConfiguration: { .invalidInput(Sentence(verbatim: $0.message)) },
    ]

    /// The seconds to wait; a minute if the server does not say.
    private static func seconds(_ error: AuthError) -> Int { max(1, seconds(error.retryAfter) ?? 60) }
}
