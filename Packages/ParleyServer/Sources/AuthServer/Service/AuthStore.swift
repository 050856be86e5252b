// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The server's durable storage. Each implementation passes `AuthStoreContract` of AuthServerTestSupport.
public protocol AuthStore: Sendable {
    /// Runs a closure as one transaction: others see all of its writes or none, and its result is the one that it would
    /// have if all transactions ran one after another. When this returns, the writes survive the end of the process and
    /// a power failure. When it throws, nothing was written, unless the connection to the database was lost during the
    /// commit: then the writes may be there.
    ///
    /// A store may run the closure again if another transaction got in its way, so the closure changes nothing but the
    /// rows, and draws no random bytes.
    func transaction<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
    ) async throws -> Result

    /// Runs a closure on one state of the rows, concurrently with transactions. The store may run it again.
    func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
    ) async throws -> Result
}

/// The rows of one moment. It must not be used after its closure has returned.
///
/// The methods run where their caller runs, so that a database with a thread of its own is asked without a change of
/// threads.
public protocol AuthReading {
    /// The record of an address.
    nonisolated(nonsending) func address(key: Data) async throws -> AddressRecord?
    /// The address that has a mail with this link.
    nonisolated(nonsending) func address(link: Data) async throws -> AddressRecord?
    /// The account with that id.
    nonisolated(nonsending) func account(id: String) async throws -> Account?
    /// The account with that address.
    nonisolated(nonsending) func account(address: EmailAddress) async throws -> Account?
    /// A page of accounts, the newest first; of the same time, the greatest id first.
    ///
    /// - Parameter part: A part of the address in lower case, or the whole id; nil for every account.
    nonisolated(nonsending) func accounts(matching part: String?, offset: Int, limit: Int) async throws -> [Account]
    /// The number of accounts that match.
    nonisolated(nonsending) func accountCount(matching part: String?) async throws -> Int
    /// The limits of a network.
    nonisolated(nonsending) func limits(of prefix: NetworkPrefix) async throws -> PrefixLimits?
    /// The session with that id.
    nonisolated(nonsending) func session(id: String) async throws -> Session?
    /// All sessions of an account, the newest first.
    nonisolated(nonsending) func sessions(of account: String) async throws -> [Session]
    /// The erasure of a deleted account, until its record is deleted.
    nonisolated(nonsending) func erasure(of account: String) async throws -> Erasure?
    /// All erasures, the unfinished ones included, the oldest first.
    nonisolated(nonsending) func erasures() async throws -> [Erasure]
}

/// The rows that one transaction reads and changes.
public protocol AuthTransaction: AuthReading {
    /// Adds or replaces a record with all its mails.
    nonisolated(nonsending) func put(_ record: AddressRecord) async throws
    /// Removes a record with all its mails; nothing if it is missing.
    nonisolated(nonsending) func remove(address key: Data) async throws
    /// Adds an account; its id and its address are new.
    nonisolated(nonsending) func add(_ account: Account) async throws
    /// Replaces an existing account, except its address and the time of its creation.
    nonisolated(nonsending) func put(_ account: Account) async throws
    /// Adds or replaces the limits of a network.
    nonisolated(nonsending) func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) async throws
    /// Adds or replaces a session of an existing account.
    nonisolated(nonsending) func put(_ session: Session) async throws

    /// Removes a code and returns it; nil if it is missing.
    nonisolated(nonsending) func takeAuthorizationCode(_ code: Data) async throws -> AuthorizationCode?
    /// Adds a code of an existing account.
    nonisolated(nonsending) func add(_ code: AuthorizationCode) async throws

    /// Removes an account and everything that refers to it: its addresses with their mails, its sessions and codes.
    nonisolated(nonsending) func remove(account: String) async throws
    /// Adds or replaces an erasure.
    nonisolated(nonsending) func put(_ erasure: Erasure) async throws

    /// Deletes the rows that no rule reads any more: sessions, authorization codes and mails older than these times,
    /// limits that are over, and erasures that were finished before.
    nonisolated(nonsending) func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) async throws
}

/// The counters of one network.
public struct PrefixLimits: Sendable, Hashable {
    /// The mails that were requested.
    public var sends: RateBucket
    /// Codes, links and tokens that were refused.
    public var attempts: RateBucket

    /// Limits as they were stored, or new ones.
    public init(sends: RateBucket = RateBucket(), attempts: RateBucket = RateBucket()) {
        self.sends = sends
        self.attempts = attempts
    }
}

/// The code that a used link gives to the program through the browser; valid for one exchange, with the verifier (RFC
/// 7636).
public struct AuthorizationCode: Sendable, Hashable {
    /// The code's authentication code.
    public let code: Data
    /// The signed-in account.
    public let account: String
    /// The challenge that the verifier must fit.
    public let challenge: String
    /// The time at which the link was used.
    public let createdAt: AuthTime

    /// A code as it was stored, or a new one.
    public init(code: Data, account: String, challenge: String, createdAt: AuthTime) {
        self.code = code
        self.account = account
        self.challenge = challenge
        self.createdAt = createdAt
    }
}
