// SPDX-License-Identifier: MIT

/// How a conversation stands with its server.
public enum ConnectionStatus: String, Sendable, Hashable, CaseIterable {
    case connecting
    case connected
    /// The connection broke, and is being made again.
    case reconnecting
    case disconnected
}
