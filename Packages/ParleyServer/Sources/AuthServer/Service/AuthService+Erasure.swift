// SPDX-License-Identifier: MIT

extension AuthService {
    /// Deletes the account of the token, its address, mails and sessions, in one transaction: all of it is deleted, or
    /// nothing.
    ///
    /// A repetition with the same token returns the same erasure, since the first answer may have been lost.
    ///
    /// - Parameters:
    ///   - id: The receipt's id, if there is no erasure yet.
    ///   - count: Counts the account's other data, before it is deleted; an error that it throws leaves everything as
    ///     it was.
    /// - Throws: ``AuthServerError``: `badAccessToken`, `sessionEnded`.
    public func erase(
        accessToken: String, id: String, count: @Sendable (_ account: String) async throws -> [String: Int]
    ) async throws -> Erasure {
        let now = clock.now()
        let claims = try claims(of: accessToken, at: now)
        let found = try await store.read { [policy] store in
            if let erasure = try store.erasure(of: claims.subject) { return Erasure?.some(erasure) }
            _ = try Self.owner(claims, at: now, policy, in: store)
            return nil
        }
        if let found { return found }
        let others = try await count(claims.subject)
        return try await store.transaction { [policy] store in
            // Two requests at once delete one account.
            if let erasure = try store.erasure(of: claims.subject) { return erasure }
            let (account, _) = try Self.owner(claims, at: now, policy, in: store)
            var counts = others
            counts["sessions"] = try store.sessions(of: account.id).count
            let erasure = Erasure(id: id, account: account.id, askedAt: now, counts: counts)
            try store.remove(account: account.id)
            try store.put(erasure)
            return erasure
        }
    }
}

/// The deletion of an account. The transaction that stores this deletes the account itself; the record is kept until
/// the rest of the account's data is deleted too, so that a server that was killed finishes it.
public struct Erasure: Sendable, Hashable {
    /// The receipt's id.
    public let id: String
    /// The account that was deleted.
    public let account: String
    /// The time at which the account was deleted.
    public let askedAt: AuthTime
    /// The receipt: the number of deleted items by kind.
    public let counts: [String: Int]
    /// The time at which the last item was deleted; nil before.
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
