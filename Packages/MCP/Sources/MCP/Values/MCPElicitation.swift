// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A question that a server wants to ask the person.
public struct MCPElicitation: Sendable, Hashable {
    /// The question. It comes from the server: show whose it is.
    public let message: String
    /// What the answer must be like (JSON Schema, flat), where a form is wanted.
    public let requestedSchema: JSONValue?
    /// The address to open instead, where that is wanted.
    public let url: String?

    init(json: JSONValue?) {
        message = json?["message"]?.string ?? ""
        requestedSchema = json?["requestedSchema"]
        url = json?["url"]?.string
    }

    /// What the person does with it.
    public enum Answer: Sendable, Hashable {
        /// Gives these values.
        case accept(JSONObject)
        /// Says no.
        case decline
        /// Turns away without an answer.
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
