// SPDX-License-Identifier: MIT

public import StructuredJSON

/// How far a request is.
public struct MCPProgress: Sendable, Hashable {
    /// A number that only grows.
    public let value: Double
    /// What the number will be at the end, if that is known.
    public let total: Double?
    /// What is going on, for a person.
    public let message: String?

    /// The progress in a notification's parameters; `nil` without a number.
    public init?(json: JSONObject) {
        guard let value = json["progress"]?.double, value.isFinite else { return nil }
        self.value = value
        total = json["total"]?.double
        message = json["message"]?.string
    }
}
