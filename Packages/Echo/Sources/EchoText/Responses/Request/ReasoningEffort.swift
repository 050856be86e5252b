// SPDX-License-Identifier: MIT

/// The effort of a model's reasoning.
public struct ReasoningEffort: RawRepresentable, Hashable, Sendable, Codable {
    /// The API's word.
    public let rawValue: String

    /// An effort by the API's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No reasoning.
    public static let none = ReasoningEffort(rawValue: "none")
    /// Very little reasoning.
    public static let minimal = ReasoningEffort(rawValue: "minimal")
    /// Little reasoning.
    public static let low = ReasoningEffort(rawValue: "low")
    /// The default of the models.
    public static let medium = ReasoningEffort(rawValue: "medium")
    /// Much reasoning.
    public static let high = ReasoningEffort(rawValue: "high")
}

/// The settings of a model's reasoning.
public struct Reasoning: Sendable, Hashable {
    /// The effort; `nil` leaves it to the model.
    public var effort: ReasoningEffort?
    /// `auto`, `concise` or `detailed` requests a summary of the reasoning.
    public var summary: String?

    /// Settings of the reasoning.
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
