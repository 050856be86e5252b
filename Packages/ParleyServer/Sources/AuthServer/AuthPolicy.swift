// SPDX-License-Identifier: MIT

/// The limits that the rules go by. The defaults are the strictest that a person with a slow mailbox can live with.
public struct AuthPolicy: Sendable, Hashable {
    /// How long the link of a mail works; 15 minutes at most.
    public var linkLifetime: Duration = .seconds(15 * 60)
    /// How long the code of a mail works; 10 minutes at most.
    public var codeLifetime: Duration = .seconds(10 * 60)
    /// How often a code may be tried. With six digits, 5 tries find it with a chance of 5 in a million.
    public var attemptsPerCode = 5
    /// The most of those tries that may come from other networks than the one that asked for the mail: a person may change
    /// the network in between, and strangers must not use up all tries.
    public var foreignAttemptsPerCode = 2
    /// The most mails for an address that one network may ask for in ``sendWindow``.
    public var sendsPerWindow = 3
    /// The time in which ``sendsPerWindow`` counts.
    public var sendWindow: Duration = .seconds(10 * 60)
    /// The most mails for an address that one network may ask for in an hour.
    public var sendsPerHour = 5
    /// The most mails that an address gets in an hour from all networks.
    public var sendsPerHourFromAll = 20
    /// After so many comparisons with wrong codes without a success, mails for this account carry a link and no code: a
    /// person who reads the mail still gets in, and nobody guesses further.
    public var failuresBeforeLinksOnly = 100
    /// How many mails all addresses together may be sent from one network prefix in an hour.
    public var sendsPerPrefixAndHour = 30
    /// How many codes, links and tokens may be tried from one network prefix in ten minutes.
    public var attemptsPerPrefixAndTenMinutes = 60
    /// How long an access token is good; it cannot be called back sooner.
    public var accessTokenLifetime: Duration = .seconds(15 * 60)
    /// How long after its exchange the refresh token before the newest still gets the newest one: the answer may have been lost.
    public var refreshGrace: Duration = .seconds(10)
    /// A session that is not refreshed for so long ends.
    public var sessionIdleLifetime: Duration = .seconds(30 * 86_400)
    /// Every session ends after so long.
    public var sessionLifetime: Duration = .seconds(180 * 86_400)
    /// How long the code that a used link hands to the program can be exchanged (RFC 6749 §4.1.2: 10 minutes at most).
    public var authorizationCodeLifetime: Duration = .seconds(5 * 60)
    /// Whether an address that has no account gets one by its first sign-in.
    public var allowsSignUp = true

    /// The defaults.
    public init() {}
}
