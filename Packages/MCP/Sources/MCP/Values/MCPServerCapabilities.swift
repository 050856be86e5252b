// SPDX-License-Identifier: MIT

public import StructuredJSON

/// The capabilities of a server.
public struct MCPServerCapabilities: Sendable, Hashable {
    /// The received object, experimental capabilities and extensions included.
    public let json: JSONValue

    init(json: JSONValue?) { self.json = json ?? .object([:]) }

    /// True if the server has tools.
    public var hasTools: Bool { json["tools"] != nil }
    /// True if the server reports changes of its tools.
    public var tellsToolChanges: Bool { json["tools"]?["listChanged"]?.bool ?? false }
    /// True if the server has resources.
    public var hasResources: Bool { json["resources"] != nil }
    /// True if the server reports changes of its list of resources.
    public var tellsResourceChanges: Bool { json["resources"]?["listChanged"]?.bool ?? false }
    /// True if the server reports changes of a single resource.
    public var hasResourceSubscriptions: Bool { json["resources"]?["subscribe"]?.bool ?? false }
    /// True if the server has prompts.
    public var hasPrompts: Bool { json["prompts"] != nil }
    /// True if the server reports changes of its prompts.
    public var tellsPromptChanges: Bool { json["prompts"]?["listChanged"]?.bool ?? false }
    /// True if the server sends log messages.
    public var hasLogging: Bool { json["logging"] != nil }
}

/// The agreement with a server.
public struct MCPServerInformation: Sendable, Hashable {
    /// The revision in use.
    public let version: MCPProtocolVersion
    /// The server's own name and version. For people; do not base trust on it.
    public let server: MCPImplementation
    /// The server's capabilities.
    public let capabilities: MCPServerCapabilities
    /// The server's instructions for a model, in its own words.
    public let instructions: String?
}
