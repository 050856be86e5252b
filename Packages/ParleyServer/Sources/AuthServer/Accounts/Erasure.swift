// SPDX-License-Identifier: MIT

/// The deletion of an account. The account itself is gone with the transaction that stores this; it is kept until everything
/// else that hung on the account is gone too, so that a server that was killed finishes it.
public struct Erasure: Sendable, Hashable {
    /// The receipt's id.
    public let id: String
    /// The account that was deleted.
    public let account: String
    /// The time at which the account was deleted.
    public let askedAt: AuthTime
    /// The receipt: how many of what there were.
    public let counts: [String: Int]
    /// The time at which the last of it was gone; nil while something is left.
    public var doneAt: AuthTime?

    /// An erasure as it was stored, or a new one.
    public init(id: String, account: String, askedAt: AuthTime, counts: [String: Int], doneAt: AuthTime? = nil) {
        self.id = id
        self.account = account
        self.askedAt = askedAt
        self.counts = counts
        self.doneAt = doneAt
    }
}
