// SPDX-License-Identifier: MIT

import Auth
import Domain
import Networking

/// Errors of connections to servers and of signing in. A new code counts as the server's error until it has a row here;
/// the tests require a row for each code.
extension DomainError {
    init(_ error: NetworkError) {
        self = Self.networkMeanings[error.code]?(error) ?? .server(error.sentence)
    }

    init(_ error: AuthError) {
        self = Self.authMeanings[error.code]?(error) ?? .server(error.sentence)
    }

    private typealias Meaning<Failure> = @Sendable (Failure) -> DomainError

    private static let networkMeanings: [NetworkError.Code: Meaning<NetworkError>] = [
        .invalidRequest: { .invalidInput($0.sentence) },
        .insecure: { .invalidInput($0.sentence) },
        .resolve: { .offline($0.sentence) },
        .connect: { .offline($0.sentence) },
        .proxy: { .offline($0.sentence) },
        .secure: { .offline($0.sentence) },
        .certificate: { .server($0.sentence) },
        .pin: { .server($0.sentence) },
        .connectionLost: { .offline($0.sentence) },
        .invalidResponse: { .server($0.sentence) },
        .connectTimeout: { _ in .timedOut(.connection) },
        .firstByteTimeout: { _ in .timedOut(.answer) },
        .idleTimeout: { _ in .timedOut(.answer) },
        .timeout: { _ in .timedOut(.answer) },
        .responseTooLarge: { .server($0.sentence) },
        .headerTooLarge: { .server($0.sentence) },
        .outOfMemory: { .generationFailed($0.sentence) },
        .redirect: { .server($0.sentence) },
        .requestBody: { .file($0.sentence) },
        .status: { meaning(ofStatus: $0) },
        .decoding: { .server($0.sentence) },
        .unauthorized: { _ in .signInNeeded },
        .refreshLimit: { _ in .rateLimited(retryAfter: 30) },
        .circuitOpen: { .offline($0.sentence) },
        .notCached: { .offline($0.sentence) },
        .file: { .file($0.sentence) },
        .closed: { .offline($0.sentence) },
        .eventTooLarge: { .server($0.sentence) },
        .notAnEventStream: { .server($0.sentence) },
        .webSocketProtocol: { .server($0.sentence) },
        .hostKey: { .server($0.sentence) },
        .remoteAccessDenied: { .server($0.sentence) },
        .remoteDiskFull: { .overLimit($0.sentence) },
        .remoteFailure: { .server($0.sentence) },
        .remoteFileMissing: { .server($0.sentence) },
        .webSocketText: { .server($0.sentence) },
        .webSocketMessageTooBig: { .server($0.sentence) },
        .webSocketHandshake: { .server($0.sentence) },
        .deliveryUnknown: { .server($0.sentence) },
        .libraryMissing: { .generationFailed($0.sentence) },
        .digestUnavailable: { .generationFailed($0.sentence) },
        .other: { .server($0.sentence) },
    ]

    private static func meaning(ofStatus error: NetworkError) -> DomainError {
        let words = error.problem?.detail ?? error.problem?.title
        let reason = words.map { Sentence(verbatim: $0) } ?? error.sentence
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
        .wrongCode: { .invalidInput($0.sentence) },
        .expired: { .invalidInput($0.sentence) },
        .alreadyUsed: { .invalidInput($0.sentence) },
        .tooManyAttempts: { .rateLimited(retryAfter: seconds($0)) },
        .tooManyMails: { .rateLimited(retryAfter: seconds($0)) },
        .noNetwork: { .offline($0.sentence) },
        .notTrusted: { .server($0.sentence) },
        .signedOut: { _ in .signInNeeded },
        .reused: { _ in .signInNeeded },
        .unauthorized: { _ in .signInNeeded },
        .invalidLink: { .invalidInput($0.sentence) },
        .wrongDevice: { .invalidInput($0.sentence) },
        .noPendingSignIn: { .invalidInput($0.sentence) },
        .alreadySignedIn: { .invalidInput($0.sentence) },
        .invalidAddress: { .invalidInput($0.sentence) },
        .unsupported: { .server($0.sentence) },
        .refused: { .server($0.sentence) },
        .server: { .server($0.sentence) },
        .storage: { .storage($0.sentence) },
        .busy: { .storage($0.sentence) },
        .invalidConfiguration: { .invalidInput($0.sentence) },
    ]

    /// The seconds to wait; a minute if the server does not say.
    private static func seconds(_ error: AuthError) -> Int { max(1, seconds(error.retryAfter) ?? 60) }
}
