// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A tool that a server offers.
///
/// Everything here comes from the server. Descriptions are read by a model, so a server can try to command it with
/// them: let a person approve a tool before a model sees it (``MCPToolApprovals``).
public struct MCPTool: Sendable, Hashable {
    /// What it is called at its server.
    public let name: String
    /// What it is called for a person.
    public let title: String?
    /// What it does, for a model.
    public let description: String?
    /// What its arguments must be like (JSON Schema, an object).
    public let inputSchema: JSONValue
    /// What its structured result is like, if it has one (JSON Schema).
    public let outputSchema: JSONValue?
    /// What the server says about its effects. Hints only: a server can lie.
    public let annotations: Annotations

    /// What a server says about a tool's effects.
    public struct Annotations: Sendable, Hashable {
        /// It changes nothing.
        public let isReadOnly: Bool?
        /// It may destroy something.
        public let isDestructive: Bool?
        /// Twice is as once.
        public let isIdempotent: Bool?
        /// It deals with more than the server's own world, such as the web.
        public let isOpenWorld: Bool?

        init(json: JSONValue?) {
            isReadOnly = json?["readOnlyHint"]?.bool
            isDestructive = json?["destructiveHint"]?.bool
            isIdempotent = json?["idempotentHint"]?.bool
            isOpenWorld = json?["openWorldHint"]?.bool
        }
    }

    /// The tool in an object; `nil` without a name.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.string, !name.isEmpty else { return nil }
        self.name = name
        title = json["title"]?.string ?? json["annotations"]?["title"]?.string
        description = json["description"]?.string
        let schema = json["inputSchema"]
        inputSchema = schema?.object == nil ? ["type": "object"] : schema ?? ["type": "object"]
        outputSchema = json["outputSchema"]?.object.map(JSONValue.object)
        annotations = Annotations(json: json["annotations"])
    }
}

/// What a tool gave.
public struct MCPToolResult: Sendable, Hashable {
    /// What it gave, for a model.
    public let content: [MCPContent]
    /// The same as a value, where the tool has an output schema.
    public let structuredContent: JSONValue?
    /// True if the tool itself failed; the content says how, so that a model can do better.
    public let isError: Bool

    init(json: JSONValue) {
        content = (json["content"]?.array ?? []).map(MCPContent.init(json:))
        structuredContent = json["structuredContent"]
        isError = json["isError"]?.bool ?? false
    }

    /// The texts of the content, a line each; where there is none, the structured content as JSON.
    public var text: String {
        let texts = content.compactMap(\.text)
        return texts.isEmpty ? structuredContent?.text ?? "" : texts.joined(separator: "\n")
    }
}
