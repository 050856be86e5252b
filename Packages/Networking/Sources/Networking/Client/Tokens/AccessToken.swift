// SPDX-License-Identifier: MIT

/// What a request shows to be let in, and the session that it belongs to.
public struct AccessToken: Sendable, Hashable, CustomStringConvertible {
    /// The secret, as it stands after `Bearer`.
    public let value: String
    /// The session: another one after each sign-in.
    public let session: String

    /// A token; a program with one session needs no name for it.
    public init(value: String, session: String = "session") {
        self.value = value
        self.session = session
    }

    /// The session only; the secret stays out of logs.
    public var description: String { "token of session \(session)" }
}
