// SPDX-License-Identifier: MIT

/// The tokens of one program's session, in memory: an API key, or a token that a closure refreshes.
///
///     let tokens = InMemoryAccessTokens(AccessToken(value: signIn.token)) { expired in
///         AccessToken(value: try await api.refresh().token, session: expired.session)
///     }
///     configuration.tokens = tokens
public actor InMemoryAccessTokens: AccessTokenProvider {
    private var current: AccessToken?
    private let fetch: (@Sendable (AccessToken) async throws -> AccessToken)?

    /// The tokens of a session.
    ///
    /// - Parameters:
    ///   - token: The first token; nil when signed out.
    ///   - refresh: Requests a new token of the server. It throws `NetworkError` with the code `unauthorized` if the
    ///     server refuses. Without it a refused token stays refused.
    public init(_ token: AccessToken?, refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil) {
        current = token
        fetch = refresh
    }

    /// Begins another session, or ends this one with `nil`. A refresh that is under way then has no effect.
    public func set(_ token: AccessToken?) {
        current = token
    }

    /// The session's token, or nil when signed out.
    public func token() -> AccessToken? { current }

    /// Calls the closure.
    public func refresh(_ expired: AccessToken) async throws -> AccessToken {
        guard let fetch else {
            throw NetworkError(
                code: .unauthorized, message: "The server refuses the token, and it cannot be refreshed. Set another.",
                status: 401)
        }
        return try await fetch(expired)
    }

    /// Keeps the new token if the expired one is still the current one.
    public func replace(_ expired: AccessToken, with fresh: AccessToken) -> Bool {
        guard current == expired else { return false }
        current = fresh
        return true
    }
}
