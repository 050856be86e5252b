// SPDX-License-Identifier: MIT

/// Which end of the connection this is. A client masks what it sends and refuses masked frames; a server refuses
/// frames that are not masked (RFC 6455 §5.1).
public enum WebSocketRole: Sendable {
    /// The end that opened the connection.
    case client
    /// The end that accepted it.
    case server
}
