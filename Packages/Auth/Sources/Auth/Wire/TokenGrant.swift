// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// The tokens that the server gives for a sign-in or a refresh.
public struct TokenGrant: Sendable {
    /// The token that requests carry.
    public let accessToken: Sensitive<String>
    /// Good for one exchange.
    public let refreshToken: Sensitive<String>
    /// The access token's lifetime, counted from before the request; 10 s to 1 day.
    public let lifetime: Duration
    /// The signed-in user; nil where the server leaves it out.
    public let user: AuthUser?
    /// The session's name at the server, if the access token says it.
    public let session: String?
}

/// `AccessTokenResponse` as it stands on the wire.
struct WireTokens: Decodable {
    let accessToken: String
    let refreshToken: String
    let expiresIn: Double?
    let expiresAt: Double?
    let user: AuthUser?

    private enum CodingKeys: String, CodingKey {
        case user
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
        case expiresAt = "expires_at"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try values.decode(String.self, forKey: .accessToken)
        refreshToken = try values.decode(String.self, forKey: .refreshToken)
        for token in [accessToken, refreshToken] where !Self.isToken(token) {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "A token has no token's form."))
        }
        expiresIn = try? values.decode(Double.self, forKey: .expiresIn)
        expiresAt = try? values.decode(Double.self, forKey: .expiresAt)
        user = try? values.decode(AuthUser.self, forKey: .user)
    }

    /// Characters that can stand in a header (RFC 6750 §2.1), and no more than a header takes.
    private static func isToken(_ text: String) -> Bool {
        (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// - Parameter serverTime: What the answer's `Date` says, in seconds since 1970.
    func grant(serverTime: Double?) -> TokenGrant {
        let peek = TokenPeek(accessToken)
        return TokenGrant(
            accessToken: Sensitive(accessToken), refreshToken: Sensitive(refreshToken),
            lifetime: lifetime(peek, serverTime), user: user, session: peek?.session)
    }

    /// The token's lifetime, without this machine's calendar, which may be wrong: the server's value; else the
    /// distance of two times that both come from the server.
    private func lifetime(_ peek: TokenPeek?, _ serverTime: Double?) -> Duration {
        var seconds = expiresIn
        if seconds == nil, let expiresAt, let serverTime { seconds = expiresAt - serverTime }
        if seconds == nil, let expires = peek?.expiresAt, let issued = peek?.issuedAt { seconds = expires - issued }
        guard let seconds, seconds.isFinite else { return .seconds(300) }
        return .seconds(min(max(seconds, 10), 86_400))
    }
}
