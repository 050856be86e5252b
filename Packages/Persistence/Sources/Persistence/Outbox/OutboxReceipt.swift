// SPDX-License-Identifier: MIT

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
