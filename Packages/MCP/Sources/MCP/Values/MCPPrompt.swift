// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A prompt that a server offers, to be filled in.
public struct MCPPrompt: Sendable, Hashable {
    /// What is to be filled in.
    public struct Argument: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// What it is for.
        public let description: String?
        /// True if it must be given.
        public let isRequired: Bool
    }

    /// What it is called.
    public let name: String
    /// What it is called for a person.
    public let title: String?
    /// What it is for.
    public let description: String?
    /// What is to be filled in.
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
    /// One message of it.
    public struct Message: Sendable, Hashable {
        /// Who says it: `user` or `assistant`.
        public let role: String
        /// What is said.
        public let content: MCPContent
    }

    /// What it is for.
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
