// SPDX-License-Identifier: MIT

/// The limits of the rules. The defaults are the strictest that a person with a slow mailbox can live with.
public struct AuthPolicy: Sendable, Hashable {
    /// The lifetime of a mail's link; 15 minutes at most.
    public var linkLifetime: Duration = .seconds(15 * 60)
    /// The lifetime of a mail's code; 15 minutes at most.
    public var codeLifetime: Duration = .seconds(10 * 60)
    /// The attempts that a code allows. With six digits, 5 tries find it with a chance of 5 in a million.
    public var attemptsPerCode = 5
    /// The most of those tries that may be made from other networks than that of the mail's request: a person may
    /// change the network in between, and strangers must not use up all tries.
    public var foreignAttemptsPerCode = 2
    /// The most mails for an address that one network may request in ``sendWindow``.
    public var sendsPerWindow = 3
    /// The time in which ``sendsPerWindow`` counts.
    public var sendWindow: Duration = .seconds(10 * 60)
    /// The most mails for an address that one network may request in an hour.
    public var sendsPerHour = 5
    /// The most mails that an address gets in an hour from all networks.
    public var sendsPerHourFromAll = 20
    /// After so many wrong codes without a success, mails for this account carry a link and no code: a person who reads
    /// the mail can still sign in, and further guesses are impossible.
    public var failuresBeforeLinksOnly = 100
    /// The most mails to all addresses together that one network prefix may request in an hour.
    public var sendsPerPrefixAndHour = 30
    /// The most codes, links and tokens that one network prefix may try in ten minutes.
    public var attemptsPerPrefixAndTenMinutes = 60
    /// The lifetime of an access token. The server refuses it as soon as its session has ended; a verifier that has the keys
    /// alone does not.
    public var accessTokenLifetime: Duration = .seconds(15 * 60)
    /// The time after its exchange in which the last refresh token still gets the newest one, although the newest was
    /// used: programs that share a session may refresh at once. Unless it was used, the answer may be lost, and there is no limit.
    public var refreshGrace: Duration = .seconds(10)
    /// The time after which a session that is not refreshed ends.
    public var sessionIdleLifetime: Duration = .seconds(30 * 86_400)
    /// The time after which every session ends.
    public var sessionLifetime: Duration = .seconds(180 * 86_400)
    /// The lifetime of the code that a used link gives to the program (RFC 6749 §4.1.2: 10 minutes at most).
    public var authorizationCodeLifetime: Duration = .seconds(5 * 60)
    /// True if an address that has no account gets one by its first sign-in.
    public var allowsSignUp = true

    /// The defaults.
    public init() {}
}
