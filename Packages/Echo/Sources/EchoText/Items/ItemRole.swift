// SPDX-License-Identifier: MIT

/// The role of a message's author.
public struct ItemRole: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// A role by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person.
    public static let user = ItemRole(rawValue: "user")
    /// The model.
    public static let assistant = ItemRole(rawValue: "assistant")
    /// The platform's rules.
    public static let system = ItemRole(rawValue: "system")
    /// The application's rules, which take precedence over the person's wishes.
    public static let developer = ItemRole(rawValue: "developer")
}
