// SPDX-License-Identifier: MIT

public import Domain

/// The account that is signed in, on the wire: the answer of `/rpc/me`.
public struct ProfileDTO: Codable, Hashable, Sendable {
    /// The account's id.
    public var account: String
    /// The account's mail address.
    public var email: String
    /// The time at which the account was created, RFC 3339.
    public var createdAt: String

    enum CodingKeys: String, CodingKey {
        case account, email
        case createdAt = "created_at"
    }

    /// Makes the wire form of a profile.
    public init(_ profile: Profile) {
        account = profile.account
        email = profile.email
        createdAt = WireTime.text(of: profile.createdAt)
    }

    /// The profile.
    ///
    /// - Throws: ``MappingFailure`` without an account, or for an invalid time.
    public func profile() throws(MappingFailure) -> Profile {
        guard !account.isEmpty else { throw MappingFailure("account", "is empty") }
        return Profile(account: account, email: email, createdAt: try WireValue.time(createdAt, "created_at"))
    }
}

/// The receipt of a deletion, on the wire.
public struct DeletionReceiptDTO: Codable, Hashable, Sendable {
    /// The receipt's id.
    public var id: String
    /// `device` or `server`.
    public var place: String
    /// The time of the deletion, RFC 3339.
    public var deletedAt: String
    /// The number of deleted items of each kind.
    public var counts: [String: Int]

    enum CodingKeys: String, CodingKey {
        case id, place, counts
        case deletedAt = "deleted_at"
    }

    /// Makes the wire form of a receipt.
    public init(_ receipt: DeletionReceipt) {
        id = receipt.id
        place = receipt.place.rawValue
        deletedAt = WireTime.text(of: receipt.deletedAt)
        counts = receipt.counts
    }

    /// The receipt.
    ///
    /// - Throws: ``MappingFailure`` for an unknown place: a receipt without a place proves nothing.
    public func receipt() throws(MappingFailure) -> DeletionReceipt {
        guard let place = DeletionReceipt.Place(rawValue: place) else {
            throw MappingFailure("place", "is neither device nor server")
        }
        return DeletionReceipt(
            id: id, place: place, deletedAt: try WireValue.time(deletedAt, "deleted_at"), counts: counts)
    }
}
