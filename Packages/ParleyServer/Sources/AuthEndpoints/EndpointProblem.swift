// SPDX-License-Identifier: MIT

public import AuthServer

extension AuthServerError {
    /// The status of the answer. It is GoTrue's, except that an invalid access token is a 401, as RFC 6750 §3.1
    /// requires.
    public var status: Int {
        switch code {
        case .badAccessToken, .noAuthorization: 401
        case .proofRefused, .sessionEnded, .userBanned, .hookRefused, .notAdmin: 403
        case .authorizationCodeRefused, .userNotFound: 404
        case .emailExists: 422
        case .tooManyMails, .tooManyRequests: 429
        case .hookAway: 503
        default: 400
        }
    }

    /// The value of `WWW-Authenticate`, for the status 401.
    public var challenge: String? {
        switch code {
        case .noAuthorization: "Bearer"
        case .badAccessToken: #"Bearer error="invalid_token""#
        default: nil
        }
    }

    /// The whole seconds until a retry makes sense, for `Retry-After`. Rounded up, so that a client that returns then
    /// need not wait again.
    public func wait(at now: AuthTime) -> Int? {
        retryAfter.map { Int(max(1, ($0.milliseconds - now.milliseconds + 999) / 1_000)) }
    }
}

extension AuthServerError.Code {
    /// The content is not JSON, or not the JSON that the call takes.
    public static let badJSON = Self(rawValue: "bad_json")
    /// There is no access token.
    public static let noAuthorization = Self(rawValue: "no_authorization")
}
