// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// The members that any call's content has; unknown ones are passed over.
struct WireRequest: Decodable {
    var email: String?
    var type: String?
    var token: String?
    var tokenHash: String?
    var codeChallenge: String?
    var codeChallengeMethod: String?
    var codeVerifier: String?
    var authCode: String?
    var refreshToken: String?
}

struct WirePair: Encodable {
    let accessToken: String
    let tokenType: String
    let expiresIn: Int64
    let expiresAt: Int64
    let refreshToken: String
    let user: WireUser
}

struct WireUser: Encodable {
    let id: String
    let aud = "authenticated"
    let role = "authenticated"
    let email: String
    let createdAt: String

    init(_ account: Account) {
        id = account.id
        email = account.address.value
        createdAt = account.createdAt.text
    }
}

struct WireSession: Encodable {
    let id: String
    let device: String
    let createdAt: String
    let lastUsedAt: String
    let isCurrent: Bool

    init(_ session: Session, isCurrent: Bool) {
        (id, device) = (session.id, session.device)
        (createdAt, lastUsedAt) = (session.createdAt.text, session.rotatedAt.text)
        self.isCurrent = isCurrent
    }
}

extension AuthTime {
    /// RFC 3339, in UTC.
    var text: String { Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601) }
}

struct WireKeys: Encodable { let keys: [PublishedKey] }

struct WireSettings: Encodable {
    struct External: Encodable { let email: Bool }

    let external: External
    let disableSignup: Bool
}

struct WireRefusal: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: Int
    let errorCode: String
    let msg: String
    let attemptsLeft: Int?
    let retryAfter: Int?
}
