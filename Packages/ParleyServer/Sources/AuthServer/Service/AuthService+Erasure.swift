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
        return try await erase(claims.subject, id: id, at: now, count: count) { store in
            _ = try await Self.owner(claims, at: now, policy, in: store)
        }
    }

    /// Deletes an account in the same way for the operator.
    ///
    /// - Throws: ``AuthServerError`` with the code `userNotFound`.
    public func erase(
        account: String, id: String, count: @Sendable (_ account: String) async throws -> [String: Int]
    ) async throws -> Erasure {
        try await erase(account, id: id, at: clock.now(), count: count) { store in
            guard try await store.account(id: account) != nil else { throw AuthServerError.userNotFound }
        }
    }

    private typealias ErasureCheck = nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Void

    /// - Parameter check: Throws if the caller may not delete the account.
    private func erase(
        _ account: String, id: String, at now: AuthTime, count: @Sendable (String) async throws -> [String: Int],
        check: @escaping ErasureCheck
    ) async throws -> Erasure {
        let found = try await store.read { store in
            if let erasure = try await store.erasure(of: account) { return Erasure?.some(erasure) }
            try await check(store)
            return nil
        }
        if let found { return found }
        let others = try await count(account)
        return try await store.transaction { store in
            // Two requests at once delete one account.
            if let erasure = try await store.erasure(of: account) { return erasure }
            try await check(store)
            var counts = others
            counts["sessions"] = try await store.sessions(of: account).count
            let erasure = Erasure(id: id, account: account, askedAt: now, counts: counts)
            try await store.remove(account: account)
            try await store.put(erasure)
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
