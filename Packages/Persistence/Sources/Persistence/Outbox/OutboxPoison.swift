// SPDX-License-Identifier: MIT

/// An item that failed for good.
public struct OutboxPoison: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Why, in the words of the worker's last outcome.
    public let reason: String
}
