// SPDX-License-Identifier: MIT

/// An event of the session, without addresses and tokens: fit for a log.
public enum AuthEvent: Sendable, Hashable, CustomStringConvertible {
    /// A mail was requested.
    case linkRequested
    /// A person has signed in.
    case signInSucceeded
    /// A mail, a code or a link was refused, or could not be sent.
    case signInFailed(AuthError.Code)
    /// A new access token has arrived.
    case tokenRefreshed
    /// No access token could be fetched; the session stays.
    case refreshFailed(AuthError.Code)
    /// The new refresh token could not be stored; it is held in memory and stored later.
    case storingFailed
    /// The session is over.
    case signedOut(SignOutReason)

    /// The event's name, and its reason if it has one.
    public var description: String {
        switch self {
        case .linkRequested: "link_requested"
        case .signInSucceeded: "sign_in_succeeded"
        case .signInFailed(let code): "sign_in_failed(\(code))"
        case .tokenRefreshed: "token_refreshed"
        case .refreshFailed(let code): "refresh_failed(\(code))"
        case .storingFailed: "storing_failed"
        case .signedOut(let reason): "signed_out(\(reason.rawValue))"
        }
    }
}

/// The reason why a session is over.
public enum SignOutReason: String, Sendable, Hashable {
    /// The person signed out here.
    case requested
    /// The server has ended it: revoked, expired, or signed out on another device.
    case endedByServer = "ended_by_server"
    /// The server got an old refresh token.
    case reused
    /// Another program on this machine has signed out, or signed in again.
    case elsewhere
}

/// The state of sign-in.
public enum SessionState: Sendable, Hashable {
    /// No account is signed in.
    case signedOut
    /// A mail was requested; its code or link is awaited.
    case awaitingProof
    /// The session exists, with a valid access token.
    case signedIn
    /// The session exists, and a new access token is being fetched.
    case refreshing
    /// The session exists without a valid access token: the server could not be reached. The fetch is repeated.
    case expired
}
