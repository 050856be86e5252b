// SPDX-License-Identifier: MIT

import Security

/// Signing in without a password: mails with a link and a code, sessions, tokens. Pure rules over a store.
///
/// It is a value; any number of tasks may use it at once. The store's transaction guarantees single use. Methods throw
/// ``AuthServerError``, or the errors of the store or libcrypto.
public struct AuthService: Sendable {
    let store: any AuthStore
    let mailer: any SignInMailer
    let keys: @Sendable () throws -> AuthKeys
    let signing: @Sendable () -> SigningKeys
    /// The limits.
    public let policy: AuthPolicy
    let clock: AuthClock
    /// The operator's own rules, if there are any.
    let hook: (any AuthHook)?
    let confirmationFailed: @Sendable (any Error) -> Void
    /// The server's address in tokens.
    public let issuer: String
    let audience = "authenticated"

    /// - Parameters:
    ///   - keys: Returns the present keys; they may be exchanged while the server runs. Requests that need keys fail with
    ///     its error.
    ///   - signing: Returns the present signing keys, in the same way.
    ///   - issuer: The server's address, for example `https://auth.example.org`.
    ///   - hook: Decides about sign-ups, and learns of sign-ins.
    ///   - confirmationFailed: Gets the store's error when the first use of an access token could not be noted. The request goes
    ///     on, and the next use is noted.
    public init(
        store: any AuthStore, mailer: any SignInMailer, keys: @escaping @Sendable () throws -> AuthKeys,
        signing: @escaping @Sendable () -> SigningKeys, issuer: String, policy: AuthPolicy = AuthPolicy(),
        clock: AuthClock = .system, hook: (any AuthHook)? = nil,
        confirmationFailed: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.mailer = mailer
        self.keys = keys
        self.signing = signing
        self.issuer = issuer
        self.policy = policy
        self.clock = clock
        self.hook = hook
        self.confirmationFailed = confirmationFailed
    }

    /// Queues a mail with a link and a code; earlier ones stay valid. The answer, and the work behind it, are the same
    /// for an address without an account. A mail that the queue does not take counts against no limit.
    ///
    /// - Throws: ``AuthServerError`` with the code `tooManyMails` or `tooManyRequests`.
    public func requestSignIn(_ request: SignInRequest) async throws {
        if let challenge = request.challenge, !PKCE.isChallenge(challenge) {
            throw AuthServerError(.validationFailed, "The code challenge is not an S256 challenge: 43 characters.")
        }
        let keys = try keys()
        let names = try keys.names(of: request.address, from: request.prefix)
        let token = try SecureRandom.token()
        let digits = try OneTimeCode.random()
        let link = try keys.code(forLink: token)
        let (now, carriesCode, isKnown, language) = try await store.transaction { store in
            // Read here, and not before the wait for the database: by an older time a newer mail would be one of the
            // future, and be removed.
            let now = clock.now()
            try await Self.countSend(in: store, request.prefix, at: now, policy)
            // Both are looked up for every request, so that unknown addresses cost as much as known ones. Under a root
            // key that knows no other an address has a new record, and still its account.
            let (known, account) = (
                try await names.record(in: store), try await store.account(address: request.address)
            )
            var record = known ?? AddressRecord(key: names.key, account: account?.id)
            if let next = record.countSend(from: names.network, at: now, policy) {
                throw AuthServerError(
                    .tooManyMails, "This address got several mails just now. Use the newest, or wait.",
                    retryAfter: next)
            }
            let carriesCode = record.allowsCode(policy)
            let proof = Proof(
                link: link, code: carriesCode ? try keys.code(forCode: digits, of: names, at: now) : nil,
                createdAt: now, challenge: request.challenge,
                newcomer: record.account == nil && policy.allowsSignUp ? request.address.value : nil,
                redirect: request.redirect, network: names.network)
            record.add(proof, at: now, policy)
            try await names.put(record, in: store)
            return (now, carriesCode, record.account != nil, account?.metadata.language)
        }
        let mail = SignInMail(
            recipient: isKnown || policy.allowsSignUp ? request.address : nil, token: Sensitive(token),
            code: carriesCode ? Sensitive(digits) : nil, linkLifetime: policy.linkLifetime,
            codeLifetime: policy.codeLifetime,
            acceptLanguage: [language, request.acceptLanguage].compactMap(\.self).joined(separator: ","))
        guard await mailer.enqueue(mail) else {
            // A task of its own: the count is taken back for a client that has gone, too.
            let withdrawal = Task {
                try await store.transaction { store in
                    try await Self.takeBackSend(in: store, request.prefix, policy)
                    guard var record = try await names.record(in: store) else { return }
                    record.takeBackSend(of: link, from: names.network, at: now)
                    try await names.put(record, in: store)
                }
            }
            try await withdrawal.value
            throw AuthServerError(
                .tooManyRequests, "The mail server does not keep up. Try again in a minute.",
                retryAfter: now + .seconds(60))
        }
    }

    nonisolated(nonsending) private static func countSend(
        in store: any AuthTransaction, _ prefix: NetworkPrefix, at now: AuthTime, _ policy: AuthPolicy
    ) async throws {
        var limits = try await store.limits(of: prefix) ?? PrefixLimits()
        if let next = limits.sends.take(at: now, limit: policy.sendsPerPrefixAndHour, per: .seconds(3_600)) {
            throw AuthServerError(
                .tooManyRequests, "Too many mails were asked for from this network. Wait, then try again.",
                retryAfter: next)
        }
        try await store.put(limits, for: prefix)
    }

    nonisolated(nonsending) private static func takeBackSend(
        in store: any AuthTransaction, _ prefix: NetworkPrefix, _ policy: AuthPolicy
    ) async throws {
        guard var limits = try await store.limits(of: prefix) else { return }
        limits.sends.takeBack(limit: policy.sendsPerPrefixAndHour, per: .seconds(3_600))
        try await store.put(limits, for: prefix)
    }
}
