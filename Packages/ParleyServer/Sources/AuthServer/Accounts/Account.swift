// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// A person's account at the server.
public struct Account: Sendable, Hashable {
    /// A UUID, version 4 (RFC 9562 §5.4), in lower case.
    public let id: String
    /// The mail address.
    public let address: EmailAddress
    /// The time at which the first sign-in, or the operator, made the account.
    public let createdAt: AuthTime
    /// The object that the person's programs have stored at the account.
    public internal(set) var metadata: AccountMetadata
    /// The time of the first sign-in, or at which the operator vouched for the address; nil before.
    public internal(set) var confirmedAt: AuthTime?
    /// The time of the newest invitation; nil without one.
    public internal(set) var invitedAt: AuthTime?
    /// The end of a block; nil without one.
    public internal(set) var bannedUntil: AuthTime?

    /// An account as it was stored.
    public init(
        id: String, address: EmailAddress, createdAt: AuthTime, metadata: AccountMetadata = AccountMetadata(),
        confirmedAt: AuthTime? = nil, invitedAt: AuthTime? = nil, bannedUntil: AuthTime? = nil
    ) {
        self.id = id
        self.address = address
        self.createdAt = createdAt
        self.metadata = metadata
        self.confirmedAt = confirmedAt
        self.invitedAt = invitedAt
        self.bannedUntil = bannedUntil
    }

    /// True while the operator's block holds.
    public func isBanned(at now: AuthTime) -> Bool { bannedUntil.map { now < $0 } ?? false }
}

/// Ids of accounts and sessions.
enum AuthID {
    /// A UUID, version 4 (RFC 9562 §5.4), in lower case.
    static func random() throws -> String {
        var bytes = try SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
