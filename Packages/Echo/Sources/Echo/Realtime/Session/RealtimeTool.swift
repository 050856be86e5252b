// SPDX-License-Identifier: MIT

/// A tool that the model may call in a voice session.
public enum RealtimeTool: Sendable, Hashable {
    /// A function of yours. `parameters` is the JSON schema of its arguments.
    case function(name: String, description: String?, parameters: JSONValue)
    /// An MCP server that the API's server itself calls, as the API describes it without `type`.
    case mcp(JSONObject)

    var json: JSONValue {
        switch self {
        case .function(let name, let description, let parameters):
            var object: JSONObject = ["type": "function", "name": .string(name), "parameters": parameters]
            object.set("description", description.map(JSONValue.string))
            return .object(object)
        case .mcp(let server):
            var object: JSONObject = ["type": "mcp"]
            object.add(server)
            return .object(object)
        }
    }
}

extension Tool {
    /// The tool in a voice session's form.
    var realtimeTool: RealtimeTool {
        .function(name: name, description: description, parameters: schema.json)
    }
}
