// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message in an ``Outbox``.
public struct OutboxItem: Sendable, Equatable, Identifiable {
    /// The place in the order of enqueueing; never used twice.
    public let id: Int64
    /// What the receiver tells repetitions by.
    public let idempotencyKey: String
    /// What orders it among others; nil when nothing does.
    public let orderingKey: String?
    /// Whose it is; nil where nobody has said.
    public let lane: String?
    /// The content.
    public let payload: [UInt8]
    /// How many attempts began, the current one included.
    public let attempts: Int
    /// When it was enqueued, by the wall clock of that moment.
    public let enqueuedAt: Date

    /// The content as a value that was encoded as JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

/// An item that is not done, and where it stands.
public struct OutboxEntry: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Where it stands.
    public let stage: OutboxStage
    /// Why it is poisoned, in the words of the worker's last outcome; nil for any other.
    public let reason: String?
}

/// An item that this worker alone may work on until its lease ends.
public struct OutboxDelivery: Sendable, Equatable {
    /// The item.
    public let item: OutboxItem
    /// Tells this attempt from every other one.
    let token: Int64
}

/// What became of an attempt to enqueue.
public enum OutboxReceipt: Sendable, Equatable {
    /// A new item.
    case enqueued(id: Int64)
    /// The outbox has this idempotency key already; nothing was changed.
    case duplicate(OutboxStage)
}

/// Where an item stands.
public enum OutboxStage: String, Sendable, CaseIterable {
    /// It waits for its turn or its time.
    case pending
    /// A worker has it.
    case leased
    /// It failed for good and waits for a person: ``Outbox/retry(_:)`` or ``Outbox/discard(_:)``.
    case poisoned
    /// It was delivered; its key is remembered for ``Outbox/Configuration/remembersDoneFor``.
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

    /// Its number in the file; what is done has none there.
    var number: Int {
        switch self {
        case .pending: 0
        case .leased: 1
        case .poisoned: 2
        case .done: 3
        }
    }
}
