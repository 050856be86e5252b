// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

// The JSON of administration, with GoTrue's names; docs/api/admin.yaml describes it.

/// `POST /admin/users` and `PUT /admin/users/{id}`.
struct AdminUserRequest: Decodable {
    let email: String?
    let metadata: AccountMetadata?
    let isConfirmed: Bool
    let block: AccountBlock?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case email
        case metadata = "user_metadata"
        case isConfirmed = "email_confirm"
        case banDuration = "ban_duration"
        case role, id, phone, password, nonce
        case passwordHash = "password_hash"
        case phoneConfirm = "phone_confirm"
        case appMetadata = "app_metadata"
    }

    /// Members that ask for something that this server does not have: to ignore one would be a lie.
    private static let foreign: [CodingKeys] = [.id, .phone, .password, .passwordHash, .appMetadata, .nonce]

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        for key in Self.foreign where values.contains(key) {
            guard try values.decodeNil(forKey: key) else {
                throw AuthServerError(
                    .validationFailed, "\(key.rawValue) cannot be set: accounts have only an address.")
            }
        }
        guard try values.decodeIfPresent(Bool.self, forKey: .phoneConfirm) != true else {
            throw AuthServerError(.validationFailed, "phone_confirm cannot be set: accounts have an address only.")
        }
        guard try values.decodeIfPresent(String.self, forKey: .role) ?? "authenticated" == "authenticated" else {
            throw AuthServerError(.validationFailed, "role is always authenticated.")
        }
        email = try values.decodeIfPresent(String.self, forKey: .email)
        metadata = try values.decodeIfPresent(AccountMetadata.self, forKey: .metadata)
        isConfirmed = try values.decodeIfPresent(Bool.self, forKey: .isConfirmed) ?? false
        block = try values.decodeIfPresent(String.self, forKey: .banDuration).map { try BanDuration.block($0) }
    }
}

/// `POST /invite`
struct InviteRequest: Decodable {
    let email: String
    let data: AccountMetadata?
}

/// `DELETE /admin/users/{id}`, which may have a body.
struct DeletionRequest: Decodable {
    let shouldSoftDelete: Bool?

    enum CodingKeys: String, CodingKey {
        case shouldSoftDelete = "should_soft_delete"
    }
}

/// `GET /admin/users`
struct UserListMessage: Encodable {
    let users: [UserMessage]
    let aud = "authenticated"
}

/// The text of `ban_duration`: `none`, or numbers with the units of Go's durations, such as `24h` or `1h30m`.
enum BanDuration {
    private static let longest: Double = 1_000 * 365 * 86_400
    /// The longest units first, since `m` begins `ms`.
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("us", 0.000_001), ("µs", 0.000_001), ("ns", 0.000_000_001), ("h", 3_600), ("m", 60), ("s", 1),
    ]

    /// - Throws: `AuthServerError` with the code `validationFailed`.
    static func block(_ text: String) throws -> AccountBlock {
        if text == "none" { return .lifted }
        var (rest, seconds) = (text[...], 0.0)
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isWholeNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            guard let value = Double(number), let unit = units.first(where: { rest.hasPrefix($0.name) }) else {
                throw invalid
            }
            seconds += value * unit.seconds
            rest = rest.dropFirst(unit.name.count)
        } while !rest.isEmpty
        guard seconds > 0, seconds <= longest else { throw invalid }
        return .for(.milliseconds(Int64((seconds * 1_000).rounded(.up))))
    }

    private static let invalid = AuthServerError(
        .validationFailed, "ban_duration is none, or a time of at most 1,000 years such as 24h or 1h30m.")
}
