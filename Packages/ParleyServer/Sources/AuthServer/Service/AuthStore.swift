// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The server's durable storage. Each implementation passes `AuthStoreContract` of AuthServerTestSupport.
public protocol AuthStore: Sendable {
    /// Runs a closure as one transaction: others see all of what it wrote or nothing, nothing changes under it, and when this
    /// returns, what was written survives the end of the process and of the power. When it throws, nothing was written.
    func transaction<Result: Sendable>(
        _ body: @Sendable (any AuthTransaction) throws -> Result
    ) async throws -> Result

    /// Runs a closure on one state of the rows, beside transactions.
    func read<Result: Sendable>(_ body: @Sendable (any AuthReading) throws -> Result) async throws -> Result
}

/// The rows of one moment. It must not be used after its closure has returned.
public protocol AuthReading {
    /// The record of an address.
    func address(key: Data) throws -> AddressRecord?
    /// The address that has a mail with this link.
    func address(link: Data) throws -> AddressRecord?
    /// The account of that name.
    func account(id: String) throws -> Account?
    /// The account with that address.
    func account(address: EmailAddress) throws -> Account?
    /// The limits of a network.
    func limits(of prefix: NetworkPrefix) throws -> PrefixLimits?
    /// The session of that name.
    func session(id: String) throws -> Session?
    /// All sessions of an account, the newest first.
    func sessions(of account: String) throws -> [Session]
    /// The erasure of an account that was deleted, until it is forgotten.
    func erasure(of account: String) throws -> Erasure?
    /// All erasures, those that are not done too, the oldest first.
    func erasures() throws -> [Erasure]
}

/// The rows that one transaction sees and changes.
public protocol AuthTransaction: AuthReading {
    /// Adds or replaces, with all its mails.
    func put(_ record: AddressRecord) throws
    /// Adds one; its name and its address are new.
    func add(_ account: Account) throws
    /// Replaces what is stored at an account, which is there.
    func put(_ metadata: AccountMetadata, of account: String) throws
    /// Adds or replaces.
    func put(_ limits: PrefixLimits, for prefix: NetworkPrefix) throws
    /// Adds or replaces; its account is there.
    func put(_ session: Session) throws

    /// Takes a code out; nil when there is none.
    func takeAuthorizationCode(_ code: Data) throws -> AuthorizationCode?
    /// Adds a code; its account is there.
    func add(_ code: AuthorizationCode) throws

    /// Removes an account and everything that names it: its addresses with their mails, its sessions and codes.
    func remove(account: String) throws
    /// Adds or replaces.
    func put(_ erasure: Erasure) throws

    /// Forgets what no rule looks at any more: sessions, authorization codes and mails older than these times, limits that are
    /// over, and erasures that were done before.
    func forget(sessionsBefore session: AuthTime, restBefore rest: AuthTime) throws
}

/// The counters of one network.
public struct PrefixLimits: Sendable, Hashable {
    /// Mails that were asked for.
    public var sends: RateBucket
    /// Codes, links and tokens that were refused.
    public var attempts: RateBucket

    /// Limits as they were stored, or new ones.
    public init(sends: RateBucket = RateBucket(), attempts: RateBucket = RateBucket()) {
        self.sends = sends
        self.attempts = attempts
    }
}

/// The code that a used link hands to the program over the browser; valid for one exchange, with the verifier (RFC 7636).
public struct AuthorizationCode: Sendable, Hashable {
    /// The code's authentication code.
    public let code: Data
    /// The signed-in account.
    public let account: String
    /// The challenge that the verifier has to fit.
    public let challenge: String
    /// When the link was used.
    public let createdAt: AuthTime

    /// A code as it was stored, or a new one.
    public init(code: Data, account: String, challenge: String, createdAt: AuthTime) {
        self.code = code
        self.account = account
        self.challenge = challenge
        self.createdAt = createdAt
    }
}
