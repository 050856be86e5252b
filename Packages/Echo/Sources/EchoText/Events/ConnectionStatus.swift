// SPDX-License-Identifier: MIT

/// The state of a conversation's connection.
public enum ConnectionStatus: String, Sendable, Hashable, CaseIterable {
    case connecting
    case connected
    /// The connection broke, and is being restored.
    case reconnecting
    case disconnected
}
