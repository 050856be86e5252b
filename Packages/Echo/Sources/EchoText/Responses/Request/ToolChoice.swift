// SPDX-License-Identifier: MIT

/// The tool that the model must call, if it must.
public enum ToolChoice: Sendable, Hashable {
    /// As it likes.
    case auto
    /// Nothing.
    case none
    /// One tool at least.
    case required
    /// This function.
    case function(name: String)
    /// Anything else, as the API describes it.
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
