// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A question that a server wants to ask the person.
public struct MCPElicitation: Sendable, Hashable {
    /// The question. It is the server's: show which server asks.
    public let message: String
    /// The schema of the answer (JSON Schema, flat), if a form is wanted.
    public let requestedSchema: JSONValue?
    /// The address to open instead of a form.
    public let url: String?

    init(json: JSONValue?) {
        message = json?["message"]?.string ?? ""
        requestedSchema = json?["requestedSchema"]
        url = json?["url"]?.string
    }

    /// The person's answer.
    public enum Answer: Sendable, Hashable {
        /// The values of the form.
        case accept(JSONObject)
        /// A refusal.
        case decline
        /// Dismissal without an answer.
        case cancel

        var json: JSONValue {
            switch self {
            case .accept(let content): ["action": "accept", "content": .object(content)]
            case .decline: ["action": "decline"]
            case .cancel: ["action": "cancel"]
            }
        }
    }
}
