// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A prompt that a server offers, to be filled in.
public struct MCPPrompt: Sendable, Hashable {
    /// An argument of a prompt.
    public struct Argument: Sendable, Hashable {
        /// The argument's name.
        public let name: String
        /// The argument's purpose.
        public let description: String?
        /// True if the argument is required.
        public let isRequired: Bool
    }

    /// The prompt's name.
    public let name: String
    /// The title for a person.
    public let title: String?
    /// The prompt's purpose.
    public let description: String?
    /// The prompt's arguments.
    public let arguments: [Argument]

    /// The prompt in an object; `nil` without a name.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.string else { return nil }
        self.name = name
        title = json["title"]?.string
        description = json["description"]?.string
        arguments = (json["arguments"]?.array ?? []).compactMap { argument in
            argument["name"]?.string.map { name in
                Argument(
                    name: name, description: argument["description"]?.string,
                    isRequired: argument["required"]?.bool ?? false)
            }
        }
    }
}

/// A prompt that was filled in.
public struct MCPPromptResult: Sendable, Hashable {
    /// One message of the prompt.
    public struct Message: Sendable, Hashable {
        /// The speaker: `user` or `assistant`.
        public let role: String
        /// The message's content.
        public let content: MCPContent
    }

    /// The prompt's purpose.
    public let description: String?
    /// The messages, in order.
    public let messages: [Message]

    init(json: JSONValue) {
        description = json["description"]?.string
        messages = (json["messages"]?.array ?? []).map { message in
            Message(
                role: message["role"]?.string ?? "user", content: MCPContent(json: message["content"] ?? .null))
        }
    }
}
