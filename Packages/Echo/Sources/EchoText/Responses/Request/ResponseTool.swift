// SPDX-License-Identifier: MIT

/// A tool that the model may call, in text or by voice.
package enum ResponseTool: Sendable, Hashable, Codable {
    /// A function of yours. `parameters` is the JSON schema of its arguments; with `isStrict` the arguments fit it. A
    /// voice session has no such promise, and takes `nil` only.
    case function(name: String, description: String?, parameters: JSONValue, isStrict: Bool? = nil)
    /// A tool of yours that takes free text. For text only.
    case custom(name: String, description: String?)
    /// A tool that the server runs, such as `{"type": "web_search"}` or `{"type": "mcp", …}`, as the API describes it.
    case hosted(JSONValue)

    package var json: JSONValue {
        switch self {
        case .function(let name, let description, let parameters, let isStrict):
            var object: JSONObject = ["type": "function", "name": .string(name), "parameters": parameters]
            object.set("strict", isStrict.map(JSONValue.bool))
            object.set("description", description.map(JSONValue.string))
            return .object(object)
        case .custom(let name, let description):
            var object: JSONObject = ["type": "custom", "name": .string(name)]
            object.set("description", description.map(JSONValue.string))
            return .object(object)
        case .hosted(let json): return json
        }
    }
}
