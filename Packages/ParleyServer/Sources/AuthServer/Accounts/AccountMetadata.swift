// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A JSON object that a person's programs store at the account (GoTrue's `user_metadata`). The server returns it, and
/// interprets `language` alone: the language of mails.
public struct AccountMetadata: Sendable, Hashable, Codable {
    /// The most bytes of its JSON.
    public static let byteLimit = 8 << 10
    /// The deepest nesting of objects and arrays.
    static let depthLimit = 16

    fileprivate enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        case array([Value])
        case object([String: Value])
    }

    private var members: [String: Value] = [:]

    /// An empty object.
    public init() {}

    /// Reads an object as ``json()`` wrote it.
    public init(json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(AccountMetadata.self, from: Data(json))
    }

    /// Reads an object.
    public init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: Value].self)
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }

    /// The object as JSON, its members in the order of their names.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(self))
    }

    /// The member `language`: the language of the account's mails, as a tag of BCP 47 that nobody has checked; nil without a text
    /// there.
    var language: String? {
        guard case .string(let tag)? = members["language"] else { return nil }
        return tag
    }

    /// The object with `changes`: members replace those with the same name, and `null` removes a member.
    ///
    /// - Throws: ``AuthServerError`` with the code `validationFailed` if the result is too long or too deep.
    public func merging(_ changes: AccountMetadata) throws -> AccountMetadata {
        var merged = self
        for (name, value) in changes.members { merged.members[name] = value == .null ? nil : value }
        guard Value.object(merged.members).depth <= Self.depthLimit else {
            throw AuthServerError(
                .validationFailed, "data is too deep: at most \(Self.depthLimit) objects and arrays inside one another."
            )
        }
        guard try merged.json().count <= Self.byteLimit else {
            throw AuthServerError(
                .validationFailed, "data is too long: all of it together may have \(Self.byteLimit) bytes of JSON.")
        }
        return merged
    }
}

extension AccountMetadata.Value: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AccountMetadata.Value].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AccountMetadata.Value].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    fileprivate var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
