// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

// The JSON of sign-in, with GoTrue's names; docs/api/openapi.yaml describes it.

/// `POST /otp`
struct OneTimePasswordRequest: Decodable {
    let email: String
    let codeChallenge: String?
    let codeChallengeMethod: String?

    enum CodingKeys: String, CodingKey {
        case email
        case codeChallenge = "code_challenge"
        case codeChallengeMethod = "code_challenge_method"
    }
}

/// `POST /verify`: an address with a code, or a link's token.
struct VerifyRequest: Decodable {
    let type: String
    let email: String?
    let token: String?
    let tokenHash: String?
    let codeVerifier: String?

    enum CodingKeys: String, CodingKey {
        case type, email, token
        case tokenHash = "token_hash"
        case codeVerifier = "code_verifier"
    }
}

/// `POST /token?grant_type=refresh_token`
struct RefreshRequest: Decodable {
    let refreshToken: String?

    enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}

/// `POST /token?grant_type=pkce`
struct CodeExchangeRequest: Decodable {
    let authCode: String?
    let codeVerifier: String?

    enum CodingKeys: String, CodingKey {
        case authCode = "auth_code"
        case codeVerifier = "code_verifier"
    }
}

/// `PUT /user`. `isOther` is true if it asks for a change that only GoTrue's own server can make.
struct UserChangeRequest: Decodable {
    let data: AccountMetadata?
    let isOther: Bool

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case data, email, phone, password
        case currentPassword = "current_password"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        data = try values.decodeIfPresent(AccountMetadata.self, forKey: .data)
        isOther = try CodingKeys.allCases.contains {
            try $0 != .data && values.contains($0) && !values.decodeNil(forKey: $0)
        }
    }
}

/// The signed-in account.
struct UserMessage: Encodable {
    /// The ways to sign in, which GoTrue's clients read.
    struct AppMetadata: Encodable {
        let provider = "email"
        let providers = ["email"]
    }

    let id: String
    let aud = "authenticated"
    let role = "authenticated"
    let email: String
    let emailConfirmedAt: String?
    let createdAt: String
    let invitedAt: String?
    let bannedUntil: String?
    let appMetadata = AppMetadata()
    let userMetadata: AccountMetadata

    init(_ account: Account) {
        id = account.id
        email = account.address.value
        createdAt = account.createdAt.text
        emailConfirmedAt = account.confirmedAt?.text
        invitedAt = account.invitedAt?.text
        bannedUntil = account.bannedUntil?.text
        userMetadata = account.metadata
    }

    enum CodingKeys: String, CodingKey {
        case id, aud, role, email
        case emailConfirmedAt = "email_confirmed_at"
        case createdAt = "created_at"
        case invitedAt = "invited_at"
        case bannedUntil = "banned_until"
        case appMetadata = "app_metadata"
        case userMetadata = "user_metadata"
    }
}

/// The tokens of a signed-in program.
struct TokenMessage: Encodable {
    let accessToken: String
    let tokenType = "bearer"
    let expiresIn: Int64
    let expiresAt: Int64
    let refreshToken: String
    let user: UserMessage

    init(_ pair: TokenPair, lifetime: Duration) {
        accessToken = pair.accessToken
        expiresIn = lifetime.components.seconds
        expiresAt = pair.expiresAt.seconds
        refreshToken = pair.refreshToken
        user = UserMessage(pair.account)
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case expiresAt = "expires_at"
        case refreshToken = "refresh_token"
        case user
    }
}

/// One of `GET /sessions`.
struct SessionMessage: Encodable {
    let id: String
    let device: String
    let createdAt: String
    let lastUsedAt: String
    let isCurrent: Bool

    init(_ session: Session, isCurrent: Bool) {
        id = session.id
        device = session.device
        createdAt = session.createdAt.text
        lastUsedAt = session.rotatedAt.text
        self.isCurrent = isCurrent
    }

    enum CodingKeys: String, CodingKey {
        case id, device
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case isCurrent = "is_current"
    }
}

/// `GET /settings`
struct SettingsMessage: Encodable {
    let external = ["email": true]
    let disableSignup: Bool
    let mailerAutoconfirm = false

    enum CodingKeys: String, CodingKey {
        case external
        case disableSignup = "disable_signup"
        case mailerAutoconfirm = "mailer_autoconfirm"
    }
}

/// `GET /health`
struct HealthMessage: Encodable {
    let name = "Parley"
    let version: String
    let description = "Sign-in with GoTrue's addresses"
}

extension AuthTime {
    /// RFC 3339, in UTC.
    fileprivate var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
}
