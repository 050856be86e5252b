// SPDX-License-Identifier: MIT

public import Domain

/// Who is signed in, on the wire: the answer of `/rpc/me`.
public struct ProfileDTO: Codable, Hashable, Sendable {
    /// The account's name for programs.
    public var account: String
    /// Its mail address.
    public var email: String
    /// Since when there is the account, RFC 3339.
    public var createdAt: String

    enum CodingKeys: String, CodingKey {
        case account, email
        case createdAt = "created_at"
    }

    /// A profile as the wire has it.
    public init(_ profile: Profile) {
        account = profile.account
        email = profile.email
        createdAt = WireTime.text(of: profile.createdAt)
    }

    /// The profile.
    ///
    /// - Throws: ``MappingFailure`` without an account, or for a time that is none.
    public func profile() throws(MappingFailure) -> Profile {
        guard !account.isEmpty else { throw MappingFailure("account", "is empty") }
        return Profile(account: account, email: email, createdAt: try WireValue.time(createdAt, "created_at"))
    }
}

/// That data was deleted, on the wire.
public struct DeletionReceiptDTO: Codable, Hashable, Sendable {
    /// The receipt's own name.
    public var id: String
    /// `device` or `server`.
    public var place: String
    /// When it was done, RFC 3339.
    public var deletedAt: String
    /// How many of what.
    public var counts: [String: Int]

    enum CodingKeys: String, CodingKey {
        case id, place, counts
        case deletedAt = "deleted_at"
    }

    /// A receipt as the wire has it.
    public init(_ receipt: DeletionReceipt) {
        id = receipt.id
        place = receipt.place.rawValue
        deletedAt = WireTime.text(of: receipt.deletedAt)
        counts = receipt.counts
    }

    /// The receipt.
    ///
    /// - Throws: ``MappingFailure`` for an unknown place: a receipt that does not say where proves nothing.
    public func receipt() throws(MappingFailure) -> DeletionReceipt {
        guard let place = DeletionReceipt.Place(rawValue: place) else {
            throw MappingFailure("place", "is neither device nor server")
        }
        return DeletionReceipt(
            id: id, place: place, deletedAt: try WireValue.time(deletedAt, "deleted_at"), counts: counts)
    }
}
