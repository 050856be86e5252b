// SPDX-License-Identifier: MIT

/// The session as the secret store keeps it. The access token is not in it: it exists in memory alone.
struct SessionRecord: VersionedRecord, Equatable {
    var version = 1
    /// Another one after each sign-in, drawn here; tells a late answer for an old session from one for this.
    let id: String
    /// The signed-in user.
    var user: AuthUser?
    /// The session's name at the server, if it is known.
    var serverSession: String?
    /// The newest refresh token.
    var refreshToken: String
}
