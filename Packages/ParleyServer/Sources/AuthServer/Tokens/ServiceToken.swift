// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The claims of a service token (RFC 7519): it opens the administration, and no account.
public struct ServiceClaims: Sendable, Hashable, Codable {
    /// The id, for the list of revoked tokens.
    public let id: String
    /// The role, with GoTrue's name; always `service_role`.
    public let role: String
    /// The audience; another one than that of access tokens, so that neither is ever valid as the other.
    public let audience: String
    /// The time of issue, in seconds since 1970.
    public let issuedAt: Int64
    /// The time of expiry, in seconds since 1970.
    public let expiresAt: Int64

    enum CodingKeys: String, CodingKey {
        case id = "jti"
        case role
        case audience = "aud"
        case issuedAt = "iat"
        case expiresAt = "exp"
    }
}

/// Service tokens: JSON Web Tokens of the keys that sign access tokens. They end with their key, at its rotation.
public enum ServiceToken {
    private static let role = "service_role"
    private static let audience = "service"

    /// Makes a token.
    public static func issue(
        lifetime: Duration, at now: AuthTime, with keys: SigningKeys
    ) throws -> (token: String, claims: ServiceClaims) {
        let claims = ServiceClaims(
            id: try AuthID.random(), role: role, audience: audience, issuedAt: now.seconds,
            expiresAt: (now + lifetime).seconds)
        return (try AccessTokenFormat.token(claims, with: keys), claims)
    }

    /// The claims of a token that one of these keys has signed, valid at this time. A signature is checked with a public
    /// key: the check compares no secret, so its time reveals none.
    ///
    /// - Throws: ``AuthServerError``: `badAccessToken`, or `notAdmin` for the token of an account.
    public static func verify(_ token: String, keys: [PublishedKey], at now: AuthTime) throws -> ServiceClaims {
        let payload = Data(try AccessTokenFormat.payload(of: token, keys: keys))
        let claims = try? JSONDecoder().decode(ServiceClaims.self, from: payload)
        guard let claims, claims.role == role, claims.audience == audience else {
            throw AuthServerError(.notAdmin, "This needs a service token. Make one: parley-server service-token")
        }
        try AccessTokenFormat.check(issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, at: now)
        return claims
    }
}
