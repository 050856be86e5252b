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
        let (now, keys) = (clock.now(), try keys())
        let names = try keys.names(of: address, from: prefix)
        let opening = try SessionOpening(device: device)
        return try await signedIn(by: opening, at: now) {
            try await proven(from: prefix, names, at: now) { store in
                // For an unknown address, a used mail of a made-up record is tried, so that it costs as much as a known
                // one.
                let found = try await names.record(in: store) ?? AuthKeys.nobody(at: now)
                var record = found
                // A text that cannot be a code is a wrong one, and costs an attempt like any other.
                let isCode = OneTimeCode.isCode(code)
                let tried = try record.proofs.map { proof in
                    let codes = try keys.codes(forCode: code, of: names, at: proof.createdAt)
                    return isCode ? codes : []
                }
                let outcome = record.use(codes: tried, from: names.network, at: now, policy)
                return (found, record, outcome)
            } then: { account, _, store in
                (account, try await opening.open(for: account, at: now, in: store))
            }
        }
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
        let use = try link(token, at: now) { proof in
            guard let challenge = proof.challenge else { return true }
            return try verifier.map { try PKCE.isValid(verifier: $0, for: challenge) } ?? false
        }
        return try await signedIn(by: opening, at: now) {
            try await proven(from: prefix, at: now, use: use) { account, _, store in
                (account, try await opening.open(for: account, at: now, in: store))
            }
        }
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
        let stored = try keys().code(forAuthorization: code)
        do {
            let redirect = try await proven(
                from: prefix, at: now, use: try link(token, at: now) { $0.challenge != nil }
            ) { account, proof, store in
                try await store.add(
                    AuthorizationCode(
                        code: stored, account: account.id, challenge: proof.challenge ?? "", createdAt: now))
                return proof.redirect
            }
            return (code, redirect)
        } catch let error where Self.mayBeDone(error) {
            // A transaction whose commit got no answer may have used the link up; then the code is there.
            guard let proof = try? await proof(of: token, ifStored: stored) else { throw error }
            return (code, proof.redirect)
        }
    }

    private func proof(of token: String, ifStored code: Data) async throws -> Proof? {
        let links = try keys().codes(forLink: token)
        return try await store.transaction { store in
            guard let found = try await store.takeAuthorizationCode(code) else { return nil }
            try await store.add(found)
            for link in links {
                guard let record = try await store.address(link: link) else { continue }
                return record.proofs.first { $0.link == link }
            }
            return nil
        }
    }

    /// Exchanges the code of a used link. A code is valid for one attempt, right or wrong.
    ///
    /// - Throws: ``AuthServerError``: `authorizationCodeRefused`, `wrongVerifier`, `tooManyRequests`.
    public func exchange(
        authorizationCode code: String, verifier: String, from prefix: NetworkPrefix, device: String
    ) async throws -> TokenPair {
        let now = clock.now()
        let codes = try keys().codes(forAuthorization: code)
        let opening = try SessionOpening(device: device)
        return try await signedIn(by: opening, at: now) {
            let result: Result<(Account, Session), AuthServerError> = try await store.transaction { store in
                if let failure = try await Self.countAttempt(in: store, prefix, at: now, policy) {
                    return .failure(failure)
                }
                var taken: AuthorizationCode?
                for code in codes { taken = try await store.takeAuthorizationCode(code) ?? taken }
                guard let stored = taken,
                    stored.createdAt.isRecent(at: now, policy.authorizationCodeLifetime),
                    let account = try await store.account(id: stored.account)
                else {
                    return .failure(
                        AuthServerError(.authorizationCodeRefused, "The sign-in was finished already or took too long.")
                    )
                }
                guard try PKCE.isValid(verifier: verifier, for: stored.challenge) else {
                    return .failure(.wrongVerifier)
                }
                guard !account.isBanned(at: now) else { return .failure(.userBanned) }
                return .success((account, try await opening.open(for: account, at: now, in: store)))
            }
            return try result.get()
        }
    }

    /// Opens a session by a transaction, tells the hook, and returns its tokens.
    ///
    /// A transaction whose commit got no answer may have used the proof up: then the session is there, and nobody else
    /// knows its id.
    private func signedIn(
        by opening: SessionOpening, at now: AuthTime, _ transact: () async throws -> (Account, Session)
    ) async throws -> TokenPair {
        let (account, session): (Account, Session)
        do { (account, session) = try await transact() } catch let error where Self.mayBeDone(error) {
            guard let found = try? await opened(opening) else { throw error }
            (account, session) = found
        }
        await hook?.signedIn(SignInEvent(account: account, session: session.id, device: session.device, at: now))
        return try tokens(for: session, of: account, at: now)
    }

    /// False for refusals, which come before the commit.
    private static func mayBeDone(_ error: any Error) -> Bool {
        !(error is AuthServerError || error is CancellationError)
    }

    private func opened(_ opening: SessionOpening) async throws -> (Account, Session)? {
        try await store.read { store in
            guard let session = try await store.session(id: opening.id),
                let account = try await store.account(id: session.account)
            else { return nil }
            return (account, session)
        }
    }

    /// Tries a proof without storing it; returns the record before and after the attempt, and its outcome; nil without a
    /// record.
    private typealias ProofUse =
        nonisolated(nonsending) @Sendable (any AuthReading) async throws -> (
            AddressRecord, AddressRecord, ProofOutcome
        )?

    /// Goes on for the account of a proof that was right, in the same transaction.
    private typealias Signed<Value> =
        nonisolated(nonsending) @Sendable (
            Account, Proof, any AuthTransaction
        ) async throws -> Value

    /// The proof that this link uses up, if the device is the right one.
    private func link(
        _ token: String, at now: AuthTime, isRightDevice: @escaping @Sendable (Proof) throws -> Bool
    ) throws -> ProofUse {
        let links = try keys().codes(forLink: token)
        return { store in
            for link in links {
                guard let found = try await store.address(link: link),
                    let proof = found.proofs.first(where: { ConstantTime.areEqual($0.link, link) })
                else { continue }
                guard try isRightDevice(proof) else { return (found, found, .wrongDevice) }
                var record = found
                let outcome = record.use(link: link, at: now, policy)
                return (found, record, outcome)
            }
            return nil
        }
    }

    /// Tries a proof and, if it is right, runs `next`, all in one transaction. A wrong proof is counted and stored as
    /// well.
    ///
    /// - Parameters:
    ///   - names: The address of a code; nil for a link, which does not tell its address: its record keeps its key.
    ///   - use: Returns the record before and after the attempt, and its outcome; nil without a record.
    private func proven<Value: Sendable>(
        from prefix: NetworkPrefix, _ names: AddressNames? = nil, at now: AuthTime,
        use: @escaping ProofUse,
        then next: @escaping Signed<Value>
    ) async throws -> Value {
        let newID = try AuthID.random()
        let mayAdd = try await mayAddAccount(from: prefix, at: now, use: use)
        let isCounted = hook != nil
        let result: Result<Value, AuthServerError> = try await store.transaction { store in
            if !isCounted, let failure = try await Self.countAttempt(in: store, prefix, at: now, policy) {
                return .failure(failure)
            }
            guard let (found, used, outcome) = try await use(store) else { return .failure(.refused(attemptsLeft: 0)) }
            var record = used
            switch outcome {
            case .refused(let attempts, let stale):
                // A used or expired mail is not counted, so that an address with such a mail costs no more than
                // one that never had any.
                if used != found { try await Self.put(used, names, in: store) }
                return .failure(.refused(attemptsLeft: attempts, stale))
            case .wrongDevice:
                return .failure(.wrongVerifier)
            case .accepted(let proof):
                guard
                    let account = try await Self.account(
                        of: record, proof, mayAdd ? newID : nil, at: now, in: store)
                else {
                    try await Self.put(record, names, in: store)
                    return .failure(.refused(attemptsLeft: 0))
                }
                guard !account.isBanned(at: now) else {
                    try await Self.put(record, names, in: store)
                    return .failure(.userBanned)
                }
                record.account = account.id
                try await Self.put(record, names, in: store)
                return .success(try await next(account, proof, store))
            }
        }
        return try result.get()
    }

    nonisolated(nonsending) private static func put(
        _ record: AddressRecord, _ names: AddressNames?, in store: any AuthTransaction
    ) async throws {
        if let names { try await names.put(record, in: store) } else { try await store.put(record) }
    }

    /// Asks the hook about a right proof of a newcomer: outside the transaction, since the hook may take seconds, and
    /// after the proof was checked, so that no stranger learns from the time which addresses are new.
    ///
    /// With a hook the attempt is counted here, before the proof is checked: otherwise a network without attempts could
    /// find a right code by the hook's time, however many guesses it makes at once.
    ///
    /// - Returns: True if an account may be added. The transaction tries the proof again, and may find that it was used.
    /// - Throws: ``AuthServerError``: `tooManyRequests`, and the hook's refusal.
    private func mayAddAccount(
        from prefix: NetworkPrefix, at now: AuthTime, use: @escaping ProofUse
    ) async throws -> Bool {
        guard let hook else { return true }
        let limited = try await store.transaction { store in
            try await Self.countAttempt(in: store, prefix, at: now, policy)
        }
        if let limited { throw limited }
        let newcomer: String? = try await store.read { store in
            guard let (_, record, outcome) = try await use(store), case .accepted(let proof) = outcome,
                record.account == nil
            else { return nil }
            return proof.newcomer
        }
        guard let newcomer else { return false }
        try await hook.willSignUp(SignUpEvent(address: EmailAddress(newcomer), at: now))
        return true
    }

    /// The account of an address, made at the first sign-in; nil if the address may not get one.
    nonisolated(nonsending) private static func account(
        of record: AddressRecord, _ proof: Proof, _ newID: String?, at now: AuthTime, in store: any AuthTransaction
    ) async throws -> Account? {
        if let id = record.account {
            guard var account = try await store.account(id: id) else { return nil }
            if account.confirmedAt == nil, !account.isBanned(at: now) {
                account.confirmedAt = now
                try await store.put(account)
            }
            return account
        }
        guard let newcomer = proof.newcomer, let newID else { return nil }
        let account = Account(id: newID, address: try EmailAddress(newcomer), createdAt: now, confirmedAt: now)
        try await store.add(account)
        return account
    }

    /// Counts an attempt from a network; returns the error once there were too many.
    nonisolated(nonsending) static func countAttempt(
        in store: any AuthTransaction, _ prefix: NetworkPrefix, at now: AuthTime, _ policy: AuthPolicy
    ) async throws -> AuthServerError? {
        var limits = try await store.limits(of: prefix) ?? PrefixLimits()
        let next = limits.attempts.take(at: now, limit: policy.attemptsPerPrefixAndTenMinutes, per: .seconds(600))
        guard next == nil else {
            return AuthServerError(
                .tooManyRequests, "Too many tries came from this network. Wait, then try again.", retryAfter: next)
        }
        try await store.put(limits, for: prefix)
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
