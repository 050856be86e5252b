// SPDX-License-Identifier: MIT

/// An event of the session, without addresses and tokens: fit for a log.
public enum AuthEvent: Sendable, Hashable, CustomStringConvertible {
    /// A mail was asked for.
    case linkRequested
    /// Somebody has signed in.
    case signInSucceeded
    /// A mail, a code or a link was turned down, or could not be sent.
    case signInFailed(AuthError.Code)
    /// There is a new access token.
    case tokenRefreshed
    /// There is none, for now; the session stays.
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

/// Why a session is over.
public enum SignOutReason: String, Sendable, Hashable {
    /// The person asked for it here.
    case requested
    /// The server says so: revoked, too old, signed out on another device.
    case endedByServer = "ended_by_server"
    /// The server has seen an old refresh token.
    case reused
    /// Another program on this machine has signed out, or signed in anew.
    case elsewhere
}

/// The state of signing in.
public enum SessionState: Sendable, Hashable {
    /// Nobody is signed in.
    case signedOut
    /// A mail is on its way; its code or link is awaited.
    case awaitingProof
    /// There is a session and a good access token.
    case signedIn
    /// There is a session, and a new access token is being fetched.
    case refreshing
    /// There is a session, and no good access token: the server could not be reached. It is tried again.
    case expired
}
