// SPDX-License-Identifier: MIT

public import AuthServer
import FoundationEssentials

/// GoTrue's interface over `AuthServer`, JSON in and JSON out, without an HTTP server: the HTTP layer calls
/// ``answer(_:to:)`` for each ``Route``.
///
/// The pages behind a mail's link are not included: they are for browsers.
public struct GoTrueEndpoints: Sendable {
    /// The most bytes of a request's content.
    public static let bodyLimit = 16 << 10

    let service: AuthService
    let keys: @Sendable () throws -> [PublishedKey]
    private let redirects: RedirectRule
    private let version: String

    /// - Parameters:
    ///   - service: The rules.
    ///   - keys: Returns the keys whose tokens are valid now.
    ///   - redirects: The addresses that a browser may be sent to after a link was used.
    ///   - version: The version that `GET /health` names.
    public init(
        service: AuthService, keys: @escaping @Sendable () throws -> [PublishedKey],
        redirects: RedirectRule = RedirectRule(), version: String = "unknown"
    ) {
        (self.service, self.keys, self.redirects, self.version) = (service, keys, redirects, version)
    }

    /// Answers a request.
    ///
    /// - Throws: `AuthServerError`, whose `status` is the answer's, and the store's errors.
    public func answer(_ route: Route, to request: EndpointRequest) async throws -> EndpointAnswer {
        switch route {
        case .requestSignIn: try await requestSignIn(request)
        case .verify: try await verify(request)
        case .token: try await token(request)
        case .signOut: try await signOut(request)
        case .user: try await user(request)
        case .changeUser: try await changeUser(request)
        case .sessions: try await sessions(request)
        case .revoke: try await revoke(request)
        case .settings: try json(SettingsMessage(disableSignup: !service.policy.allowsSignUp))
        case .health: try json(HealthMessage(version: version))
        case .keys: try publishedKeys()
        }
    }

    private func requestSignIn(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let message = try read(OneTimePasswordRequest.self, from: request)
        guard message.codeChallengeMethod.map({ $0.lowercased() == "s256" }) ?? (message.codeChallenge == nil) else {
            throw AuthServerError(.validationFailed, "The code challenge's method is not s256.")
        }
        try await service.requestSignIn(
            SignInRequest(
                address: EmailAddress(message.email), prefix: request.prefix, challenge: message.codeChallenge,
                redirect: redirects.check(request[query: "redirect_to"]), acceptLanguage: request.acceptLanguage))
        return try json([String: String]())
    }

    private func verify(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let message = try read(VerifyRequest.self, from: request)
        if let token = message.tokenHash {
            return try tokens(
                await service.verify(
                    link: token, verifier: message.codeVerifier, from: request.prefix, device: request.device))
        }
        guard let email = message.email, let code = message.token else {
            throw AuthServerError(.validationFailed, "Send email and token, or token_hash.")
        }
        return try tokens(
            await service.verify(
                code: code, of: EmailAddress(email), from: request.prefix, device: request.device))
    }

    private func token(_ request: EndpointRequest) async throws -> EndpointAnswer {
        switch request[query: "grant_type"] {
        case "refresh_token":
            guard let token = try read(RefreshRequest.self, from: request).refreshToken else {
                throw AuthServerError(.validationFailed, "Send refresh_token, the token to exchange.")
            }
            return try tokens(await service.refresh(token, from: request.prefix))
        case "pkce":
            let message = try read(CodeExchangeRequest.self, from: request)
            guard let code = message.authCode, let verifier = message.codeVerifier else {
                throw AuthServerError(.validationFailed, "Send auth_code and code_verifier.")
            }
            return try tokens(
                await service.exchange(
                    authorizationCode: code, verifier: verifier, from: request.prefix, device: request.device))
        default:
            throw AuthServerError(.validationFailed, "grant_type is refresh_token or pkce.")
        }
    }

    private func tokens(_ pair: TokenPair) throws -> EndpointAnswer {
        try json(TokenMessage(pair, lifetime: service.policy.accessTokenLifetime))
    }

    func read<Message: Decodable>(_ type: Message.Type, from request: EndpointRequest) throws -> Message {
        try request.read(type)
    }

    func json(_ value: some Encodable) throws -> EndpointAnswer { try .json(value) }
}

extension EndpointRequest {
    /// The content as JSON.
    ///
    /// - Throws: `AuthServerError` with the code `badJSON`, or the type's own.
    func read<Message: Decodable>(_ type: Message.Type) throws -> Message {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as AuthServerError {
            throw error
        } catch {
            let place = (error as? DecodingError)?.member.map { " Check “\($0)”." } ?? ""
            throw AuthServerError(.badJSON, "The content is not the JSON that is expected here." + place)
        }
    }
}

extension EndpointAnswer {
    /// A value in JSON.
    static func json(_ value: some Encodable) throws -> EndpointAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return EndpointAnswer(status: 200, body: [UInt8](try encoder.encode(value)))
    }
}

extension DecodingError {
    /// The member that could not be read; nil for the whole.
    fileprivate var member: String? {
        let path: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.last?.stringValue
    }
}
