// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The server's durable storage. Each implementation passes `AuthStoreContract` of AuthServerTestSupport.
public protocol AuthStore: Sendable {
    /// Runs a closure as one transaction: others see all of its writes or none, and no other write happens meanwhile.
    /// When this returns, the writes survive the end of the process and a power failure. When it throws, nothing was
    /// written.
    func transaction<Result: Sendable>(
        _ body: @Sendable (any AuthTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a closure on one state of the rows, concurrently with transactions.
    func read<Result: Sendable>(_ body: @Sendable (any AuthReading) throws -> Result) async throws -> Result
}

/// The rows of one moment. It must not be used after its closure has returned.
public protocol AuthReading {
    /// The record of an address.
    func address(key: Data) throws -> AddressRecord?
    /// The address that has a mail with this link.
    func address(link: Data) throws -> AddressRecord?
    /// The account with that id.
    func account(id: String) throws -> Account?
    /// The account with that address.
    func account(address: EmailAddress) throws -> Account?
    /// The limits of a network.
    func limits(of prefix: NetworkPrefix) throws -> PrefixLimits?
    /// The session with that id.
    func session(id: String) throws -> Session?
    /// All sessions of an account, the newest first.
    func sessions(of account: String) throws -> [Session]
    /// The erasure of a deleted account, until its record is deleted.
    func erasure(of account: String) throws -> Erasure?
    /// All erasures, the unfinished ones included, the oldest first.
    func erasures() throws -> [Erasure]
}

/// The rows that one transaction reads and changes.
public protocol AuthTransaction: AuthReading {
    /// Adds or replaces a record with all its mails.
    func put(_ record: AddressRecord) throws
    /// Adds an account; its id and its address are new.
    func add(_ account: Account) throws
    /// Replaces the metadata of an existing account.
    func put(_ metadata: AccountMetadata, of account: String) throws
    /// Adds or replaces the limits of a network.
    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) throws
    /// Adds or replaces a session of an existing account.
    func put(_ session: Session) throws

    /// Removes a code and returns it; nil if it is missing.
    func takeAuthorizationCode(_ code: Data) throws -> AuthorizationCode?
    /// Adds a code of an existing account.
    func add(_ code: AuthorizationCode) throws

    /// Removes an account and everything that refers to it: its addresses with their mails, its sessions and codes.
    func remove(account: String) throws
    /// Adds or replaces an erasure.
    func put(_ erasure: Erasure) throws

    /// Deletes the rows that no rule reads any more: sessions, authorization codes and mails older than these times,
    /// limits that are over, and erasures that were finished before.
    func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) throws
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
