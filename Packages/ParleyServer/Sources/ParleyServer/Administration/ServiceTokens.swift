// SPDX-License-Identifier: MIT

import AuthServer

/// The list of service tokens that the operator has revoked.
struct ServiceTokens: Sendable {
    let settings: SettingStore

    /// Revokes a token by its id. An id without a token does no harm.
    func revoke(_ id: String, at now: AuthTime) async throws {
        try await settings.set(Self.name(of: id), to: "\(now.seconds)")
    }

    /// The claims of a token that is valid and was not revoked.
    ///
    /// - Throws: `AuthServerError`: `badAccessToken`, `notAdmin`.
    func claims(of token: String, keys: [PublishedKey], at now: AuthTime) async throws -> ServiceClaims {
        let claims = try ServiceToken.verify(token, keys: keys, at: now)
        guard try await settings.value(Self.name(of: claims.id)) == nil else {
            throw AuthServerError(.badAccessToken, "The service token was revoked. Make another one.")
        }
        return claims
    }

    private static func name(of id: String) -> String { "revoked-service-token/" + id }
}
