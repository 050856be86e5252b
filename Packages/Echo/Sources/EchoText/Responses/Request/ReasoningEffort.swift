// SPDX-License-Identifier: MIT

/// How hard a model thinks before it answers.
public struct ReasoningEffort: RawRepresentable, Hashable, Sendable {
    /// The API's word.
    public let rawValue: String

    /// An effort by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not at all.
    public static let none = ReasoningEffort(rawValue: "none")
    /// Hardly.
    public static let minimal = ReasoningEffort(rawValue: "minimal")
    /// A little.
    public static let low = ReasoningEffort(rawValue: "low")
    /// What models do unless told otherwise.
    public static let medium = ReasoningEffort(rawValue: "medium")
    /// Much.
    public static let high = ReasoningEffort(rawValue: "high")
}

/// How a model thinks, and what is shown of it.
public struct Reasoning: Sendable, Hashable {
    /// How hard; `nil` leaves it to the model.
    public var effort: ReasoningEffort?
    /// `auto`, `concise` or `detailed` asks for a summary of the thoughts.
    public var summary: String?

    /// A way of thinking.
    public init(effort: ReasoningEffort? = nil, summary: String? = nil) {
        self.effort = effort
        self.summary = summary
    }

    var json: JSONValue {
        var object = JSONObject()
        object.set("effort", effort.map { .string($0.rawValue) })
        object.set("summary", summary.map(JSONValue.string))
        return .object(object)
    }
}
