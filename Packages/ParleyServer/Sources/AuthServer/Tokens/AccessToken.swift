// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// Access tokens: JSON Web Tokens signed by ES256 or EdDSA (RFC 7519, RFC 7518 §3.4, RFC 8037), and no other form of
/// RFC 7515.
public enum AccessTokenFormat {
    private struct Header: Codable {
        let alg: String
        let kid: String
        let typ: String?
        let crit: [String]?
    }

    /// Signs claims with the current key.
    public static func sign(_ claims: AccessClaims, with keys: SigningKeys) throws -> String {
        try token(claims, with: keys)
    }

    static func token(_ claims: some Encodable, with keys: SigningKeys) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let key = try PublishedKey(keys.current.publicKey)
        let header = Header(alg: key.alg, kid: key.kid, typ: "JWT", crit: nil)
        let signed = try Base64URL.encode(encoder.encode(header)) + "." + Base64URL.encode(encoder.encode(claims))
        return signed + "." + Base64URL.encode(try keys.current.sign(Array(signed.utf8)))
    }

    /// The claims of a token that one of these keys has signed, for this audience, by this issuer, valid at this time.
    ///
    /// The token does not choose the algorithm (RFC 8725 §3.1): it is that of the server's key with the token's key id.
    ///
    /// - Parameter skew: The greatest difference between the clocks of the two machines.
    /// - Throws: ``AuthServerError`` with the code `badAccessToken`.
    public static func verify(
        _ token: String, keys: [PublishedKey], issuer: String, audience: String, at now: AuthTime,
        skew: Duration = .zero
    ) throws -> AccessClaims {
        let body = try payload(of: token, keys: keys)
        guard let claims = try? JSONDecoder().decode(AccessClaims.self, from: Data(body)), claims.issuer == issuer,
            claims.audience == audience
        else { throw refused("its audience is another service") }
        try check(issuedAt: claims.issuedAt, expiresAt: claims.expiresAt, at: now, skew: skew)
        return claims
    }

    /// The claims' JSON of a token that one of these keys has signed.
    static func payload(of token: String, keys: [PublishedKey]) throws -> [UInt8] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= 4_096, parts.count == 3, let head = Base64URL.decode(parts[0]),
            let body = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: Data(head)),
            header.crit == nil, header.typ == nil || header.typ == "JWT",
            let key = keys.first(where: { $0.kid == header.kid }), header.alg == key.alg
        else { throw refused("it is not one of ours") }
        let signed = token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)
        guard try key.key().isValid(signature: signature, for: Array(signed)) else {
            throw refused("it is not one of ours")
        }
        return body
    }

    /// Throws unless the token is valid now. Times are seconds since 1970.
    static func check(issuedAt: Int64, expiresAt: Int64, at now: AuthTime, skew: Duration = .zero) throws {
        guard let issued = AuthTime(seconds: issuedAt), let expires = AuthTime(seconds: expiresAt) else {
            throw refused("its times are out of range")
        }
        guard now < expires + skew else { throw refused("it has expired") }
        guard issued <= now + max(skew, AuthTime.longestLead) else { throw refused("it was issued in the future") }
    }

    private static func refused(_ why: String) -> AuthServerError {
        AuthServerError(.badAccessToken, "The access token is refused: \(why). Refresh it, or sign in again.")
    }
}
