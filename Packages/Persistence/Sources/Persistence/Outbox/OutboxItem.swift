// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message in an ``Outbox``.
public struct OutboxItem: Sendable, Equatable, Identifiable {
    /// The position in the order of enqueueing; never used twice.
    public let id: Int64
    /// The key by which the receiver recognises repetitions.
    public let idempotencyKey: String
    /// The key of items that are delivered in order; nil if the item waits for no other.
    public let orderingKey: String?
    /// The receiver or account that the item is for; nil if none was set.
    public let lane: String?
    /// The content.
    public let payload: [UInt8]
    /// The number of attempts that have begun, the current one included.
    public let attempts: Int
    /// The time of enqueueing, by the wall clock.
    public let enqueuedAt: Date

    /// The content as a value that was encoded as JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

/// An item that is not done, and its stage.
public struct OutboxEntry: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// The stage.
    public let stage: OutboxStage
    /// The reason of the worker's last outcome if the item is poisoned; nil for any other.
    public let reason: String?
}

/// An item that this worker alone may work on until its lease ends.
public struct OutboxDelivery: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Identifies this attempt.
    let token: Int64
}

/// The result of enqueueing.
public enum OutboxReceipt: Sendable, Equatable {
    /// A new item.
    case enqueued(id: Int64)
    /// The outbox has this idempotency key already; nothing was changed.
    case duplicate(OutboxStage)
}

/// The stage of an item.
public enum OutboxStage: String, Sendable, CaseIterable {
    /// The item waits for its turn or its time.
    case pending
    /// A worker has the item.
    case leased
    /// The item failed for good and waits for a person: ``Outbox/retry(_:)`` or ``Outbox/discard(_:)``.
    case poisoned
    /// The item was delivered; its key is kept for ``Outbox/Configuration/remembersDoneFor``.
    case done
}

extension OutboxStage {
    /// The stage of an item by its number in the file.
    init(number: Int) {
        self =
            switch number {
            case 1: .leased
            case 2: .poisoned
            default: .pending
            }
    }

    /// The stage's number in the file; a delivered item has none there.
    var number: Int {
        switch self {
        case .pending: 0
        case .leased: 1
        case .poisoned: 2
        case .done: 3
        }
    }
}
