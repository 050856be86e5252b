// SPDX-License-Identifier: MIT

/// An item that this worker alone may work on until its lease ends.
public struct OutboxDelivery: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Tells this attempt from every other one.
    let token: Int64
}
