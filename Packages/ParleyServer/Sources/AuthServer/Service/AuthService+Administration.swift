// SPDX-License-Identifier: MIT

import Security

/// The operator's acts. None of them asks for a person's token: the caller has checked the operator's right.
extension AuthService {
    /// A page of accounts, the newest first, and the number of all that match.
    ///
    /// - Parameter part: A part of the address, or the whole id; nil for every account.
    public func accounts(
        matching part: String? = nil, offset: Int, limit: Int
    ) async throws -> (accounts: [Account], total: Int) {
        let part = part?.lowercased()
        return try await store.read { store in
            (
                try await store.accounts(matching: part, offset: offset, limit: limit),
                try await store.accountCount(matching: part)
            )
        }
    }

    /// The account with an id.
    ///
    /// - Throws: ``AuthServerError`` with the code `userNotFound`.
    public func account(id: String) async throws -> Account {
        guard let account = try await store.read({ try await $0.account(id: id) }) else {
            throw AuthServerError.userNotFound
        }
        return account
    }

    /// The account with an address; nil if there is none.
    public func account(address: EmailAddress) async throws -> Account? {
        try await store.read { try await $0.account(address: address) }
    }

    /// The sessions of an account that can still be used, the newest first.
    public func sessions(of account: String) async throws -> [Session] {
        let now = clock.now()
        return try await store.read { store in
            try await store.sessions(of: account).filter { $0.isAlive(at: now, policy) }
        }
    }

    /// Makes an account without a sign-in.
    ///
    /// - Parameter isConfirmed: True if the operator vouches that the person reads the address's mail.
    /// - Throws: ``AuthServerError``: `emailExists`, `validationFailed`.
    public func create(
        _ address: EmailAddress, metadata: AccountMetadata = AccountMetadata(), isConfirmed: Bool = false
    ) async throws -> Account {
        let (now, names) = (clock.now(), try keys().names(of: address))
        let account = Account(
            id: try AuthID.random(), address: address, createdAt: now,
            metadata: try AccountMetadata().merging(metadata), confirmedAt: isConfirmed ? now : nil)
        try await store.transaction { store in
            guard try await store.account(address: address) == nil else { throw AuthServerError.emailExists }
            try await store.add(account)
            var record = try await names.record(in: store) ?? AddressRecord(key: names.key)
            record.account = account.id
            try await names.put(record, in: store)
        }
        return account
    }

    /// Makes an account and queues a mail that its owner signs in with; again for one that nobody has signed in to yet.
    /// The limits of mails are for strangers, and do not count here. The mail is in the language of the account: `language` in
    /// its metadata.
    ///
    /// - Parameter redirect: The address for the browser afterwards; the caller has checked it.
    /// - Throws: ``AuthServerError``: `emailExists`, `validationFailed`, and `tooManyRequests` if the queue is full: the
    ///   account then exists, and can be invited again.
    public func invite(
        _ address: EmailAddress, metadata: AccountMetadata = AccountMetadata(), redirect: String? = nil
    ) async throws -> Account {
        let (now, keys) = (clock.now(), try keys())
        let names = try keys.names(of: address)
        let (token, digits, newID) = (try SecureRandom.token(), try OneTimeCode.random(), try AuthID.random())
        let proof = Proof(
            link: try keys.code(forLink: token), code: try keys.code(forCode: digits, of: names, at: now),
            createdAt: now, redirect: redirect)
        let account = try await store.transaction { store in
            let known = try await store.account(address: address)
            guard known?.confirmedAt == nil else { throw AuthServerError.emailExists }
            var account = known ?? Account(id: newID, address: address, createdAt: now)
            account.metadata = try account.metadata.merging(metadata)
            account.invitedAt = now
            if known == nil { try await store.add(account) } else { try await store.put(account) }
            var record = try await names.record(in: store) ?? AddressRecord(key: names.key)
            record.account = account.id
            record.add(proof, at: now, policy)
            try await names.put(record, in: store)
            return account
        }
        let mail = SignInMail(
            kind: .invitation, recipient: address, token: Sensitive(token), code: Sensitive(digits),
            linkLifetime: policy.linkLifetime, codeLifetime: policy.codeLifetime,
            acceptLanguage: account.metadata.language)
        guard await mailer.enqueue(mail) else {
            throw AuthServerError(
                .tooManyRequests, "The mail server does not keep up. Invite again in a minute.",
                retryAfter: now + .seconds(60))
        }
        return account
    }

    /// Changes an account: members of the metadata replace those with the same name, and `null` removes one.
    ///
    /// - Parameter isConfirmed: True to vouch for the address; false changes nothing.
    /// - Throws: ``AuthServerError``: `userNotFound`, `validationFailed`.
    public func change(
        account id: String, metadata: AccountMetadata? = nil, isConfirmed: Bool = false, block: AccountBlock? = nil
    ) async throws -> Account {
        let now = clock.now()
        return try await store.transaction { store in
            guard var account = try await store.account(id: id) else { throw AuthServerError.userNotFound }
            if let metadata { account.metadata = try account.metadata.merging(metadata) }
            if isConfirmed { account.confirmedAt = account.confirmedAt ?? now }
            switch block {
            case .for(let time):
                account.bannedUntil = now + time
                _ = try await Self.endSessions(of: id, in: store)
            case .lifted: account.bannedUntil = nil
            case nil: break
            }
            try await store.put(account)
            return account
        }
    }

    /// Ends all sessions of an account. Its access tokens end with them.
    ///
    /// - Returns: The number of sessions that had not ended.
    /// - Throws: ``AuthServerError`` with the code `userNotFound`.
    public func signOut(account id: String) async throws -> Int {
        try await store.transaction { store in
            guard try await store.account(id: id) != nil else { throw AuthServerError.userNotFound }
            return try await Self.endSessions(of: id, in: store)
        }
    }

    nonisolated(nonsending) private static func endSessions(
        of account: String, in store: any AuthTransaction
    ) async throws -> Int {
        var count = 0
        for var session in try await store.sessions(of: account) where session.end == nil {
            session.end = .revoked
            try await store.put(session)
            count += 1
        }
        return count
    }
}

/// A change of an account's block.
public enum AccountBlock: Sendable, Hashable {
    /// Ends all sessions, and refuses sign-ins for this time.
    case `for`(Duration)
    /// Lets the person sign in again.
    case lifted

    /// A hundred years.
    public static let forever = AccountBlock.for(.seconds(100 * 365 * 86_400))
}

extension AuthServerError {
    static let userBanned = AuthServerError(
        .userBanned, "The server's operator has blocked this account. Ask the operator.")
    static let userNotFound = AuthServerError(.userNotFound, "There is no such account.")
    static let emailExists = AuthServerError(.emailExists, "The address has an account.")
}
