// SPDX-License-Identifier: MIT

public import StructuredJSON

/// What a server offers.
public struct MCPServerCapabilities: Sendable, Hashable {
    /// The object as it came, experimental capabilities and extensions included.
    public let json: JSONValue

    init(json: JSONValue?) { self.json = json ?? .object([:]) }

    /// True if it has tools.
    public var hasTools: Bool { json["tools"] != nil }
    /// True if it says when its tools change.
    public var tellsToolChanges: Bool { json["tools"]?["listChanged"]?.bool ?? false }
    /// True if it has resources.
    public var hasResources: Bool { json["resources"] != nil }
    /// True if it says when its resources change.
    public var tellsResourceChanges: Bool { json["resources"]?["listChanged"]?.bool ?? false }
    /// True if it says when a single resource changes.
    public var hasResourceSubscriptions: Bool { json["resources"]?["subscribe"]?.bool ?? false }
    /// True if it has prompts.
    public var hasPrompts: Bool { json["prompts"] != nil }
    /// True if it says when its prompts change.
    public var tellsPromptChanges: Bool { json["prompts"]?["listChanged"]?.bool ?? false }
    /// True if it sends log messages.
    public var hasLogging: Bool { json["logging"] != nil }
}

/// What was agreed on with a server.
public struct MCPServerInformation: Sendable, Hashable {
    /// The revision that is spoken.
    public let version: MCPProtocolVersion
    /// Who the server says that it is. For people; nothing to base trust on.
    public let server: MCPImplementation
    /// What it offers.
    public let capabilities: MCPServerCapabilities
    /// What a model should know about the server, in its own words.
    public let instructions: String?
}
