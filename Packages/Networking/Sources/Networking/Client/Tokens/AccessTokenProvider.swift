// SPDX-License-Identifier: MIT

/// A bearer token, and the session that it belongs to.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible {
    /// The secret, as it is sent after `Bearer`.
    public let value: String
    /// The id of the session: another one after each sign-in.
    public let session: String

    /// A token; a program with one session needs no id for it.
    public init(value: String, session: String = "session") {
        self.value = value
        self.session = session
    }

    /// The session only; the secret stays out of logs.
    public var description: String { "token of session \(session)" }
}

/// Provides and refreshes access tokens.
public protocol AccessTokenProvider: Sendable {
    /// The session's token, or `nil` when signed out.
    func token() async -> AccessToken?

    /// Requests a new token of the server. Called once at a time for each session.
    ///
    /// - Throws: `NetworkError` with the code `unauthorized` if the server refuses, which ends the session; any other
    ///   error, such as being offline, leaves the session as it is.
    func refresh(_ expired: AccessToken) async throws -> AccessToken

    /// Keeps the new token if, in the same step, the session is still that of `expired`.
    ///
    /// - Returns: False if the session was signed out or changed meanwhile: nothing was kept.
    func replace(_ expired: AccessToken, with fresh: AccessToken) async -> Bool
}
