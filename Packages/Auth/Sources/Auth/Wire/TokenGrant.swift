// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// The server's tokens for a sign-in or a refresh.
public struct TokenGrant: Sendable {
    /// The token for requests.
    public let accessToken: Sensitive<String>
    /// The refresh token, valid for one exchange.
    public let refreshToken: Sensitive<String>
    /// The access token's lifetime, counted from before the request; 10 s to 1 day.
    public let lifetime: Duration
    /// The signed-in user; nil if the server leaves it out.
    public let user: AuthUser?
    /// The session's id at the server; nil if the access token lacks it.
    public let session: String?
}

/// `AccessTokenResponse` in its wire format.
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

    /// True for the characters of a bearer token (RFC 6750 §2.1), in a length that fits a header.
    private static func isToken(_ text: String) -> Bool {
        (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// - Parameter serverTime: The answer's `Date`, in seconds since 1970.
    func grant(serverTime: Double?) -> TokenGrant {
        let peek = TokenPeek(accessToken)
        return TokenGrant(
            accessToken: Sensitive(accessToken), refreshToken: Sensitive(refreshToken),
            lifetime: lifetime(peek, serverTime), user: user, session: peek?.session)
    }

    /// The token's lifetime, without this machine's calendar, which may be wrong: the server's value; else the
    /// difference of two times of the server.
    private func lifetime(_ peek: TokenPeek?, _ serverTime: Double?) -> Duration {
        var seconds = expiresIn
        if seconds == nil, let expiresAt, let serverTime { seconds = expiresAt - serverTime }
        if seconds == nil, let expires = peek?.expiresAt, let issued = peek?.issuedAt { seconds = expires - issued }
        guard let seconds, seconds.isFinite else { return .seconds(300) }
        return .seconds(min(max(seconds, 10), 86_400))
    }
}
