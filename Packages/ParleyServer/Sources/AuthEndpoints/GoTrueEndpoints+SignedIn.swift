// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// The calls of signed-in accounts, and the public ones.
extension GoTrueEndpoints {
    /// The account against whose calls a request counts; nil for one that counts against no account.
    ///
    /// Ending a session never counts: who stole a token must not keep the owner from it by calling often.
    ///
    /// - Throws: `AuthServerError` with the code `badAccessToken` or `noAuthorization`.
    public func callingAccount(_ route: Route, of request: EndpointRequest) throws -> String? {
        switch route {
        case .user, .changeUser, .sessions: try service.subject(accessToken: request.bearer())
        default: nil
        }
    }

    func signOut(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let scope = request[query: "scope"].map { SignOutScope(rawValue: $0) } ?? .global
        guard let scope else { throw AuthServerError(.validationFailed, "scope is local, others or global.") }
        try await service.signOut(accessToken: request.bearer(), scope)
        return .noContent
    }

    func user(_ request: EndpointRequest) async throws -> EndpointAnswer {
        try json(UserMessage(await service.account(accessToken: request.bearer()).account))
    }

    func changeUser(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let token = try request.bearer()
        let message = try read(UserChangeRequest.self, from: request)
        guard !message.isOther, let changes = message.data else {
            throw AuthServerError(
                .validationFailed, "Send data, an object. Address, phone number and password cannot be changed here.")
        }
        return try json(UserMessage(await service.changeMetadata(changes, accessToken: token)))
    }

    func sessions(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let token = try request.bearer()
        let own = try await service.account(accessToken: token).session.id
        return try json(
            await service.sessions(accessToken: token).map { SessionMessage($0, isCurrent: $0.id == own) })
    }

    func revoke(_ request: EndpointRequest) async throws -> EndpointAnswer {
        try await service.revoke(session: request.id ?? "", accessToken: request.bearer())
        return .noContent
    }

    func publishedKeys() throws -> EndpointAnswer {
        var answer = try json(["keys": keys()])
        // Short, so that a verifier learns of a new key before it meets the first token of that key.
        answer.cacheControl = "public, max-age=60"
        return answer
    }
}
