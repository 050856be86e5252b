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
