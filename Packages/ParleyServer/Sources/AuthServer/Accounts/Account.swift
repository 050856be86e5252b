// SPDX-License-Identifier: MIT

/// A person, as the server knows one.
public struct Account: Sendable, Hashable {
    /// A UUID, version 4 (RFC 9562 §5.4), in lower case.
    public let id: String
    /// The mail address.
    public let address: EmailAddress
    /// When the first sign-in was.
    public let createdAt: AuthTime
    /// The object that the person's programs have stored at the account.
    public internal(set) var metadata: AccountMetadata

    /// An account as it was stored.
    public init(
        id: String, address: EmailAddress, createdAt: AuthTime, metadata: AccountMetadata = AccountMetadata()
    ) {
        self.id = id
        self.address = address
        self.createdAt = createdAt
        self.metadata = metadata
    }
}
