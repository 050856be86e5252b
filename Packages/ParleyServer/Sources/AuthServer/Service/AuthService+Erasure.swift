// SPDX-License-Identifier: MIT

extension AuthService {
    /// Deletes the account that the token speaks for, its address, mails and sessions, in one transaction: either all of it is
    /// gone, or nothing.
    ///
    /// Asked again with the same token, it returns the same erasure, since the first answer may have been lost.
    ///
    /// - Parameters:
    ///   - id: The receipt's id, if there is no erasure yet.
    ///   - count: Counts what else hangs on the account, before it is deleted; what it throws leaves everything as it was.
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
