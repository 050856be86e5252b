// SPDX-License-Identifier: MIT

/// A call that may run, or the reason why it must not.
package enum ToolPreparation {
    case ready(Tool, JSONValue)
    /// The reason, in words for the model.
    case refused(String)
    /// The reason why it is not allowed, in words for the model.
    case denied(String)

    /// Checks a call's tool and arguments.
    init(_ call: ToolCall, _ tool: Tool?) {
        guard let tool else {
            self = .refused("There is no tool \(call.name).")
            return
        }
        let arguments: JSONValue
        do throws(JSONParsingError) {
            // Models write an empty string for a tool without parameters.
            let isEmpty = call.arguments.allSatisfy(\.isWhitespace)
            arguments = isEmpty ? .object([:]) : try JSONValue(parsing: call.arguments)
        } catch {
            self = .refused("The arguments are no valid JSON, call again with others: \(error)")
            return
        }
        do throws(JSONSchemaViolations) {
            try tool.schema.validate(arguments)
            self =
                arguments.object != nil
                ? .ready(tool, arguments) : .refused("The arguments must be an object, call again with one.")
        } catch {
            self = .refused("The arguments are wrong, call again with others:\n\(error)")
        }
    }
}
