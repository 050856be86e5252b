// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The signed-in user, as the server describes it.
public struct AuthUser: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The account's id at the server, a UUID.
    public var id: String
    /// The address; nil if the server does not send it.
    public var email: String?

    /// A user.
    public init(id: String, email: String?) {
        self.id = id
        self.email = email
    }

    /// The id at the server; no log may have the address.
    public var description: String { "user \(id)" }
}

/// A signed-in device, in the list of Parley's server.
public struct AuthSession: Sendable, Hashable, Decodable {
    /// The session's id at the server.
    public var id: String
    /// The name of the program that has the session.
    public var device: String?
    /// The time of the sign-in, by the server's clock.
    public var createdAt: Date?
    /// The time of its last fetch of a token, by the server's clock.
    public var lastUsedAt: Date?
    /// True if it is the session of the request.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, device
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case isCurrent = "is_current"
    }

    /// Decodes the present members; only the id is required. Times are RFC 3339.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) -> Date? {
            (try? values.decode(String.self, forKey: key)).flatMap { try? Date($0, strategy: .iso8601) }
        }
        id = try values.decode(String.self, forKey: .id)
        device = try? values.decode(String.self, forKey: .device)
        (createdAt, lastUsedAt) = (time(.createdAt), time(.lastUsedAt))
        isCurrent = (try? values.decode(Bool.self, forKey: .isCurrent)) ?? false
    }
}

/// The ways of signing in that a server offers (`GET /settings`).
public struct AuthSettings: Sendable, Hashable, Decodable {
    /// True if it signs in by mail.
    public var allowsEmail: Bool
    /// True if an address without an account gets one.
    public var allowsSignUp: Bool

    private enum CodingKeys: String, CodingKey {
        case external
        case disableSignUp = "disable_signup"
    }

    private enum ExternalKeys: String, CodingKey { case email }

    /// Decodes the present members; a missing one means allowed.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let external = try? values.nestedContainer(keyedBy: ExternalKeys.self, forKey: .external)
        allowsEmail = (try? external?.decode(Bool.self, forKey: .email)) ?? true
        allowsSignUp = !((try? values.decode(Bool.self, forKey: .disableSignUp)) ?? false)
    }
}

/// A public key of the server's (RFC 7517). Members that a kind of key does not have are nil.
public struct AuthKey: Sendable, Hashable, Decodable {
    /// The kind: `OKP`, `EC`, `RSA`.
    public var kty: String
    /// The key's id.
    public var kid: String?
    /// The algorithm.
    public var alg: String?
    /// The curve.
    public var crv: String?
    /// The key, or its first coordinate, in base64url.
    public var x: String?
    /// The second coordinate.
    public var y: String?
}
