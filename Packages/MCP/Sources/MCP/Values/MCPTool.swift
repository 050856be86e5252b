// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A tool that a server offers.
///
/// Everything here is from the server. Descriptions are read by a model, so a server can try to command it with them:
/// let a person approve a tool before a model sees it (``MCPToolApprovals``).
public struct MCPTool: Sendable, Hashable {
    /// The name at its server.
    public let name: String
    /// The title for a person.
    public let title: String?
    /// The description for a model.
    public let description: String?
    /// The schema of the arguments (JSON Schema, an object).
    public let inputSchema: JSONValue
    /// The schema of the structured result, if the tool has one (JSON Schema).
    public let outputSchema: JSONValue?
    /// The server's hints about the tool's effects. Hints only: a server can lie.
    public let annotations: Annotations

    /// A server's hints about a tool's effects.
    public struct Annotations: Sendable, Hashable {
        /// The tool changes nothing.
        public let isReadOnly: Bool?
        /// The tool may destroy something.
        public let isDestructive: Bool?
        /// A repeated call has no further effect.
        public let isIdempotent: Bool?
        /// The tool reaches beyond the server's own data, such as the web.
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

/// The result of a tool.
public struct MCPToolResult: Sendable, Hashable {
    /// The output for a model.
    public let content: [MCPContent]
    /// The same as a value, if the tool has an output schema.
    public let structuredContent: JSONValue?
    /// True if the tool itself failed; the content explains the failure to the model.
    public let isError: Bool

    init(json: JSONValue) {
        content = (json["content"]?.array ?? []).map(MCPContent.init(json:))
        structuredContent = json["structuredContent"]
        isError = json["isError"]?.bool ?? false
    }

    /// The texts of the content, a line each; without any, the structured content as JSON.
    public var text: String {
        let texts = content.compactMap(\.text)
        return texts.isEmpty ? structuredContent?.text ?? "" : texts.joined(separator: "\n")
    }
}
