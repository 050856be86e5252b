// SPDX-License-Identifier: MIT

/// Who says a message.
public struct MessageRole: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// A role by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person.
    public static let user = MessageRole(rawValue: "user")
    /// The model.
    public static let assistant = MessageRole(rawValue: "assistant")
    /// The platform's rules.
    public static let system = MessageRole(rawValue: "system")
    /// The application's rules, which stand above the person's wishes.
    public static let developer = MessageRole(rawValue: "developer")
}
