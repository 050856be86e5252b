// SPDX-License-Identifier: MIT

import Auth
import Domain
import Networking

/// Errors of connections to servers and of signing in. A new code counts as the server's error until it has a row here;
/// the tests require a row for each code.
extension DomainError {
    init(_ error: NetworkError) {
        self = Self.networkMeanings[error.code]?(error) ?? .server(error.message)
    }

    init(_ error: AuthError) {
        self = Self.authMeanings[error.code]?(error) ?? .server(error.message)
    }

    private typealias Meaning<Failure> = @Sendable (Failure) -> DomainError

    private static let networkMeanings: [NetworkError.Code: Meaning<NetworkError>] = [
        .invalidRequest: { .invalidInput($0.message) },
        .insecure: { .invalidInput($0.message) },
        .resolve: { .offline($0.message) },
        .connect: { .offline($0.message) },
        .proxy: { .offline($0.message) },
        .secure: { .offline($0.message) },
        .certificate: { .server($0.message) },
        .pin: { .server($0.message) },
        .connectionLost: { .offline($0.message) },
        .invalidResponse: { .server($0.message) },
        .connectTimeout: { _ in .timedOut(.connection) },
        .firstByteTimeout: { _ in .timedOut(.answer) },
        .idleTimeout: { _ in .timedOut(.answer) },
        .timeout: { _ in .timedOut(.answer) },
        .responseTooLarge: { .server($0.message) },
        .headerTooLarge: { .server($0.message) },
        .outOfMemory: { .generationFailed($0.message) },
        .redirect: { .server($0.message) },
        .requestBody: { .file($0.message) },
        .status: { meaning(ofStatus: $0) },
        .decoding: { .server($0.message) },
        .unauthorized: { _ in .signInNeeded },
        .refreshLimit: { _ in .rateLimited(retryAfter: 30) },
        .circuitOpen: { .offline($0.message) },
        .notCached: { .offline($0.message) },
        .file: { .file($0.message) },
        .closed: { .offline($0.message) },
        .eventTooLarge: { .server($0.message) },
        .notAnEventStream: { .server($0.message) },
        .webSocketProtocol: { .server($0.message) },
        .hostKey: { .server($0.message) },
        .remoteAccessDenied: { .server($0.message) },
        .remoteDiskFull: { .overLimit($0.message) },
        .remoteFailure: { .server($0.message) },
        .remoteFileMissing: { .server($0.message) },
        .webSocketText: { .server($0.message) },
        .webSocketMessageTooBig: { .server($0.message) },
        .webSocketHandshake: { .server($0.message) },
        .deliveryUnknown: { .server($0.message) },
        .libraryMissing: { .generationFailed($0.message) },
        .digestUnavailable: { .generationFailed($0.message) },
        .other: { .server($0.message) },
    ]

    private static func meaning(ofStatus error: NetworkError) -> DomainError {
        let reason = error.problem?.detail ?? error.problem?.title ?? error.message
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
        .wrongCode: { .invalidInput($0.message) },
        .expired: { .invalidInput($0.message) },
        .alreadyUsed: { .invalidInput($0.message) },
        .tooManyAttempts: { .rateLimited(retryAfter: seconds($0)) },
        .tooManyMails: { .rateLimited(retryAfter: seconds($0)) },
        .noNetwork: { .offline($0.message) },
        .notTrusted: { .server($0.message) },
        .signedOut: { _ in .signInNeeded },
        .reused: { _ in .signInNeeded },
        .unauthorized: { _ in .signInNeeded },
        .invalidLink: { .invalidInput($0.message) },
        .wrongDevice: { .invalidInput($0.message) },
        .noPendingSignIn: { .invalidInput($0.message) },
        .alreadySignedIn: { .invalidInput($0.message) },
        .invalidAddress: { .invalidInput($0.message) },
        .unsupported: { .server($0.message) },
        .refused: { .server($0.message) },
        .server: { .server($0.message) },
        .storage: { .storage($0.message) },
        .busy: { .storage($0.message) },
        .invalidConfiguration: { .invalidInput($0.message) },
    ]

    /// The seconds to wait; a minute if the server does not say.
    private static func seconds(_ error: AuthError) -> Int { max(1, seconds(error.retryAfter) ?? 60) }
}
