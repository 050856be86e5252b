// SPDX-License-Identifier: MIT

/// The operator's own rules about sign-ups and sign-ins, kept elsewhere.
public protocol AuthHook: Sendable {
    /// Called when a newcomer has shown a right code or link, before the account is made. It may be called again for the
    /// same newcomer.
    ///
    /// - Throws: ``AuthServerError`` to refuse: `hookRefused`, or `hookAway`. The code or link stays valid.
    func willSignUp(_ event: SignUpEvent) async throws

    /// Called when a session has begun. It returns soon, and no error of it ends the session.
    func signedIn(_ event: SignInEvent) async
}

/// A sign-up that waits for the hook.
public struct SignUpEvent: Sendable, Hashable {
    /// The newcomer's address.
    public let address: EmailAddress
    /// The time of the sign-up.
    public let at: AuthTime
}

/// A session that has begun.
public struct SignInEvent: Sendable, Hashable {
    /// The account; its `createdAt` tells a first sign-in.
    public let account: Account
    /// The session's id.
    public let session: String
    /// The program's name for itself.
    public let device: String
    /// The time of the sign-in.
    public let at: AuthTime
}
