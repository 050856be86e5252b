// SPDX-License-Identifier: MIT

/// The tool that the model must call, if any.
public enum ToolChoice: Sendable, Hashable, Codable {
    /// The model decides.
    case auto
    /// No tool.
    case none
    /// At least one tool.
    case required
    /// This function.
    case function(name: String)
    /// Any other choice, as the API describes it.
    case other(JSONValue)

    package var json: JSONValue {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .function(let name): ["type": "function", "name": .string(name)]
        case .other(let json): json
        }
    }
}
