// SPDX-License-Identifier: MIT

/// An item that is not done, and where it stands.
public struct OutboxEntry: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Where it stands.
    public let stage: OutboxStage
    /// Why it is poisoned, in the words of the worker's last outcome; nil for any other.
    public let reason: String?
}
