// SPDX-License-Identifier: MIT

public import StructuredJSON

/// What a server tells without being asked, and what becomes of the connection.
public enum MCPEvent: Sendable {
    /// The list of tools is another.
    case toolsChanged
    /// The list of prompts is another.
    case promptsChanged
    /// The list of resources is another.
    case resourcesChanged
    /// A resource that was subscribed to is another.
    case resourceUpdated(uri: String)
    /// A line of the server's log: how grave (`debug` to `emergency`, RFC 5424), from which part, and what.
    case log(level: String, logger: String?, JSONValue)
    /// A notification that this client does not know.
    case unknown(method: String, JSONObject)
    /// The server sent what the protocol does not allow; it was dropped.
    case violation(JSONRPCSession.Violation)
    /// The connection stands.
    case connected(MCPServerInformation)
    /// The connection is gone. The next request makes a new one.
    case disconnected(MCPError)
}

/// How far a request is.
public struct MCPProgress: Sendable, Hashable {
    /// A number that only grows.
    public let value: Double
    /// What the number will be at the end, if that is known.
    public let total: Double?
    /// What is going on, for a person.
    public let message: String?

    /// The progress in a notification's parameters; `nil` without a number.
    public init?(json: JSONObject) {
        guard let value = json["progress"]?.double, value.isFinite else { return nil }
        self.value = value
        total = json["total"]?.double
        message = json["message"]?.string
    }
}
