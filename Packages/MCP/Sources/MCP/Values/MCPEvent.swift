// SPDX-License-Identifier: MIT

public import StructuredJSON

/// A notification of the server, or a change of the connection.
public enum MCPEvent: Sendable {
    /// The list of tools has changed.
    case toolsChanged
    /// The list of prompts has changed.
    case promptsChanged
    /// The list of resources has changed.
    case resourcesChanged
    /// A resource with a subscription has changed.
    case resourceUpdated(uri: String)
    /// A line of the server's log: the level (`debug` to `emergency`, RFC 5424), the logger and the data.
    case log(level: String, logger: String?, JSONValue)
    /// A notification that this client does not know.
    case unknown(method: String, JSONObject)
    /// The server sent a message that the protocol does not allow; it was dropped.
    case violation(JSONRPCSession.Violation)
    /// The client has connected.
    case connected(MCPServerInformation)
    /// The connection has ended. The next request makes a new one.
    case disconnected(MCPError)
}

/// The progress of a request.
public struct MCPProgress: Sendable, Hashable {
    /// A number that only grows.
    public let value: Double
    /// The value at the end, if it is known.
    public let total: Double?
    /// The current step, for a person.
    public let message: String?

    /// The progress in a notification's parameters; `nil` without a number.
    public init?(json: JSONObject) {
        guard let value = json["progress"]?.double, value.isFinite else { return nil }
        self.value = value
        total = json["total"]?.double
        message = json["message"]?.string
    }
}
