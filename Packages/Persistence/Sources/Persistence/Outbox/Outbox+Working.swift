// SPDX-License-Identifier: MIT

import Concurrency

extension Outbox {
    /// Delivers items one at a time until the task is cancelled or the outbox is closed; call it from several tasks to
    /// deliver several at once.
    ///
    /// The lease is renewed while the handler runs. If it is lost nevertheless (for example after a suspension of the
    /// machine), the handler's task is cancelled and its outcome does not count. When this task is cancelled, the
    /// handler is cancelled too, and its outcome is still stored.
    ///
    /// - Parameters:
    ///   - lanes: The lanes to deliver; all if nil.
    ///   - handler: Delivers an item to the receiver, with its idempotency key.
    /// - Throws: `CancellationError`, or ``DatabaseError`` of the file.
    public func work(
        lanes: [String]? = nil, _ handler: @escaping @Sendable (OutboxItem) async -> OutboxOutcome
    ) async throws {
        do {
            while true { try await deliver(try await next(lanes: lanes), handler) }
        } catch let error as DatabaseError where error.code == .closed && activity.withLock({ $0.isClosed }) {
            // By close(), which waits for this.
        }
    }

    /// Delivers items one at a time until none is due. Items that are not due yet stay. It also ends when a handler
    /// returns ``OutboxOutcome/release``, since the same cause keeps the other items.
    ///
    /// - Parameters:
    ///   - lanes: The lanes to deliver; all if nil.
    ///   - handler: Delivers an item, as for ``work(lanes:_:)``.
    /// - Returns: The number of items that were done.
    /// - Throws: `CancellationError`, `closed` after ``close()``, or ``DatabaseError`` of the file.
    @discardableResult
    public func drain(
        lanes: [String]? = nil, _ handler: @escaping @Sendable (OutboxItem) async -> OutboxOutcome
    ) async throws -> Int {
        var count = 0
        while let delivery = try await claim(lanes: lanes) {
            let outcome = try await deliver(delivery, handler)
            if outcome == .release { break }
            if outcome == .done { count += 1 }
        }
        return count
    }

    /// Delivers one item that was claimed, and stores its outcome, as ``work(lanes:_:)`` does with each.
    ///
    /// - Returns: The handler's outcome.
    /// - Throws: `CancellationError`, or ``DatabaseError`` of the file.
    @discardableResult
    public func deliver(
        _ delivery: OutboxDelivery, _ handler: @escaping @Sendable (OutboxItem) async -> OutboxOutcome
    ) async throws -> OutboxOutcome {
        try activity.withLock { activity in
            guard !activity.isClosed else { throw DatabaseError.closed }
            activity.deliveries += 1
        }
        defer { activity.withLock { $0.deliveries -= 1 } }
        let outcome = try await attempt(delivery, handler)
        // The effect may have taken place: a cancelled task must not keep it from being stored.
        let note = Task {
            do {
                try await finish(delivery, outcome)
            } catch let error as DatabaseError where error.code == .leaseLost {
                // Another worker has it and stores its outcome.
            }
        }
        try await note.value
        try Task.checkCancellation()
        return outcome
    }

    private func attempt(
        _ delivery: OutboxDelivery, _ handler: @escaping @Sendable (OutboxItem) async -> OutboxOutcome
    ) async throws -> OutboxOutcome {
        try await withThrowingTaskGroup(of: OutboxOutcome?.self) { group in
            group.addTask { await handler(delivery.item) }
            group.addTask {
                await self.keepLease(of: delivery)
                return nil
            }
            group.addTask { [activity] in
                try? await activity.wait(until: \.isClosed)
                return nil
            }
            var outcome: OutboxOutcome?
            // The first task to end ends the other; a lost lease has no outcome of its own.
            while let result = try await group.next() {
                group.cancelAll()
                outcome = outcome ?? result
            }
            return outcome ?? .release
        }
    }

    /// Returns when the lease is lost or the task is cancelled.
    private func keepLease(of delivery: OutboxDelivery) async {
        while true {
            do {
                try await clock.sleep(configuration.rules.lease / 3)
                try await renew(delivery)
            } catch let error as DatabaseError where error.code != .leaseLost {
                // Busy, for example: a third of the lease later, there is another attempt.
                continue
            } catch {
                return
            }
        }
    }
}

/// The outcome of an attempt.
public enum OutboxOutcome: Sendable, Equatable {
    /// The receiver has the item.
    case done
    /// A later attempt may succeed. Waits as the policy demands, and at least `after`; poisoned when the attempts are
    /// used up.
    case retry(reason: String, after: Duration = .zero)
    /// No attempt can succeed with the item as it is.
    case poison(reason: String)
    /// The attempt did not take place (the program ends, the network is down). It does not count, and the item is due
    /// at once.
    case release
}
