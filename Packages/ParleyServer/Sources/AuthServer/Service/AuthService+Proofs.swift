// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

extension AuthService {
    /// Signs in by the six digits of a mail.
    ///
    /// - Parameter device: The program's name for itself; shown in the list of sessions.
    /// - Throws: ``AuthServerError``: `proofRefused` with the attempts that are left, `tooManyRequests`.
    public func verify(
        code: String, of address: EmailAddress, from prefix: NetworkPrefix, device: String
    ) async throws -> TokenPair {
        let now = clock.now()
        let (key, network) = (try keys.code(for: address), try keys.tag(of: prefix))
        let opening = try SessionOpening(device: device)
        let (account, session) = try await proven(from: prefix, at: now) { [keys, policy] store in
            // For an unknown address, a used mail of a made-up record is tried, so that it costs as much as a known
            // one.
            let found = try store.address(key: key) ?? AuthKeys.nobody(at: now)
            var record = found
            // A text that cannot be a code is a wrong one, and costs an attempt like any other.
            let isCode = OneTimeCode.isCode(code)
            let tried = try record.proofs.map { proof in
                let code = try keys.code(forCode: code, of: key, at: proof.createdAt)
                return isCode ? code : Data()
            }
            let outcome = record.use(codes: tried, from: network, at: now, policy)
            return (found, record, outcome)
        } then: { account, _, store in
            (account, try opening.open(for: account, at: now, in: store))
        }
        return try tokens(for: session, of: account, at: now)
    }

    /// Signs in by the link of a mail that the program itself got, for example pasted.
    ///
    /// - Parameters:
    ///   - token: The link's token.
    ///   - verifier: The one for the challenge of the mail's request; required if it had a challenge.
    /// - Throws: ``AuthServerError``: `proofRefused`, `wrongVerifier` (the link stays valid), `tooManyRequests`.
    public func verify(
        link token: String, verifier: String?, from prefix: NetworkPrefix, device: String
    ) async throws -> TokenPair {
        let now = clock.now()
        let opening = try SessionOpening(device: device)
        let (account, session) = try await proven(
            from: prefix, at: now,
            use: try link(token, at: now) { proof in
                guard let challenge = proof.challenge else { return true }
                return try verifier.map { try PKCE.isValid(verifier: $0, for: challenge) } ?? false
            }
        ) { account, _, store in
            (account, try opening.open(for: account, at: now, in: store))
        }
        return try tokens(for: session, of: account, at: now)
    }

    /// Uses the link of a mail in a browser, when the person presses the button there. It leads to a code that only the
    /// program that requested the mail can exchange.
    ///
    /// - Returns: The code, and the address that the browser takes it to.
    /// - Throws: ``AuthServerError``: `proofRefused`, `tooManyRequests`, and `wrongVerifier` for a mail that was
    ///   requested without a challenge: its link stays valid, for the program.
    public func confirm(link token: String, from prefix: NetworkPrefix) async throws -> (
        code: String, redirect: String?
    ) {
        let now = clock.now()
        let code = try SecureRandom.token()
        let stored = try keys.code(forAuthorization: code)
        let redirect = try await proven(
            from: prefix, at: now, use: try link(token, at: now) { $0.challenge != nil }
        ) { account, proof, store in
            try store.add(
                AuthorizationCode(
                    code: stored, account: account.id, challenge: proof.challenge ?? "", createdAt: now))
            return proof.redirect
        }
        return (code, redirect)
    }

    /// Exchanges the code of a used link. A code is valid for one attempt, right or wrong.
    ///
    /// - Throws: ``AuthServerError``: `authorizationCodeRefused`, `wrongVerifier`, `tooManyRequests`.
    public func exchange(
        authorizationCode code: String, verifier: String, from prefix: NetworkPrefix, device: String
    ) async throws -> TokenPair {
        let now = clock.now()
        let key = try keys.code(forAuthorization: code)
        let opening = try SessionOpening(device: device)
        let result: Result<(Account, Session), AuthServerError> = try await store.transaction { [policy] store in
            if let failure = try Self.countAttempt(in: store, prefix, at: now, policy) { return .failure(failure) }
            guard let stored = try store.takeAuthorizationCode(key),
                (.zero..<policy.authorizationCodeLifetime).contains(now - stored.createdAt),
                let account = try store.account(id: stored.account)
            else {
                return .failure(
                    AuthServerError(.authorizationCodeRefused, "The sign-in was finished already or took too long."))
            }
            guard try PKCE.isValid(verifier: verifier, for: stored.challenge) else { return .failure(.wrongVerifier) }
            return .success((account, try opening.open(for: account, at: now, in: store)))
        }
        let (account, session) = try result.get()
        return try tokens(for: session, of: account, at: now)
    }

    /// The proof that this link uses up, if the device is the right one.
    private func link(
        _ token: String, at now: AuthTime, isRightDevice: @escaping @Sendable (Proof) throws -> Bool
    ) throws -> @Sendable (any AuthTransaction) throws -> (AddressRecord, AddressRecord, ProofOutcome)? {
        let link = try keys.code(forLink: token)
        return { [policy] store in
            guard let found = try store.address(link: link),
                let proof = found.proofs.first(where: { ConstantTime.areEqual($0.link, link) })
            else { return nil }
            guard try isRightDevice(proof) else { return (found, found, .wrongDevice) }
            var record = found
            let outcome = record.use(link: link, at: now, policy)
            return (found, record, outcome)
        }
    }

    /// Tries a proof and, if it is right, runs `next`, all in one transaction. A wrong proof is counted and stored as
    /// well.
    ///
    /// - Parameter use: Returns the record before and after the attempt, and its outcome; nil without a record.
    private func proven<Value: Sendable>(
        from prefix: NetworkPrefix, at now: AuthTime,
        use: @escaping @Sendable (any AuthTransaction) throws -> (AddressRecord, AddressRecord, ProofOutcome)?,
        then next: @escaping @Sendable (Account, Proof, any AuthTransaction) throws -> Value
    ) async throws -> Value {
        let newID = try AuthID.random()
        let result: Result<Value, AuthServerError> = try await store.transaction { [policy] store in
            if let failure = try Self.countAttempt(in: store, prefix, at: now, policy) { return .failure(failure) }
            guard let (found, used, outcome) = try use(store) else { return .failure(.refused(attemptsLeft: 0)) }
            var record = used
            switch outcome {
            case .refused(let attempts, let stale):
                // A used or expired mail is not counted, so that an address with such a mail costs no more than
                // one that never had any.
                if used != found { try store.put(used) }
                return .failure(.refused(attemptsLeft: attempts, stale))
            case .wrongDevice:
                return .failure(.wrongVerifier)
            case .accepted(let proof):
                guard let account = try Self.account(of: record, proof, newID, at: now, in: store) else {
                    try store.put(record)
                    return .failure(.refused(attemptsLeft: 0))
                }
                record.account = account.id
                try store.put(record)
                return .success(try next(account, proof, store))
            }
        }
        return try result.get()
    }

    /// The account of an address, made at the first sign-in; nil if the address may not get one.
    private static func account(
        of record: AddressRecord, _ proof: Proof, _ newID: String, at now: AuthTime, in store: any AuthTransaction
    ) throws -> Account? {
        if let id = record.account { return try store.account(id: id) }
        guard let newcomer = proof.newcomer else { return nil }
        let account = Account(id: newID, address: try EmailAddress(newcomer), createdAt: now)
        try store.add(account)
        return account
    }

    /// Counts an attempt from a network; returns the error once there were too many.
    static func countAttempt(
        in store: any AuthTransaction, _ prefix: NetworkPrefix, at now: AuthTime, _ policy: AuthPolicy
    ) throws -> AuthServerError? {
        var limits = try store.limits(of: prefix) ?? PrefixLimits()
        let next = limits.attempts.take(at: now, limit: policy.attemptsPerPrefixAndTenMinutes, per: .seconds(600))
        guard next == nil else {
            return AuthServerError(
                .tooManyRequests, "Too many tries came from this network. Wait, then try again.", retryAfter: next)
        }
        try store.put(limits, for: prefix)
        return nil
    }
}

extension AuthServerError {
    static func refused(attemptsLeft: Int, _ staleness: Staleness? = nil) -> AuthServerError {
        let message =
            switch staleness {
            case .used: "This mail was used already. If it was not you, sign out everywhere; else ask for a new mail."
            case .expired: "This mail is too old. Ask for a new one."
            case nil where attemptsLeft > 0: "The code is wrong. Check the newest mail."
            case nil: "The code or link is wrong or expired. Check the newest mail, or ask for one."
            }
        return AuthServerError(.proofRefused, message, attemptsLeft: attemptsLeft, staleness: staleness)
    }

    static let wrongVerifier = AuthServerError(
        .wrongVerifier, "Another program has asked for this mail. Finish there, or ask for a mail here.")
}
