// SPDX-License-Identifier: MIT

import Concurrency

extension Outbox {
    /// Delivers items one at a time until the task is cancelled or the outbox is closed; call it from several tasks to deliver
    /// several at once.
    ///
    /// The lease is renewed while the handler runs. If it is lost nevertheless (the machine stood still for longer), the
    /// handler's task is cancelled and its outcome does not count. When this task is cancelled, the handler is cancelled
    /// too, and what it says is still stored.
    ///
    /// - Parameters:
    ///   - lanes: Only items of these lanes; of any when nil.
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

    /// Delivers items one at a time until none is due, and leaves those whose time has not come. It also ends when a handler
    /// answers ``OutboxOutcome/release``: what keeps one item keeps the others.
    ///
    /// - Parameters:
    ///   - lanes: Only items of these lanes; of any when nil.
    ///   - handler: Delivers an item, as for ``work(lanes:_:)``.
    /// - Returns: How many items are done.
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

    /// Delivers one item that was claimed, and stores how it ended, as ``work(lanes:_:)`` does with each.
    ///
    /// - Returns: What the handler said.
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
        // The effect may have taken place: a cancelled task must not keep it from being noted.
        let note = Task {
            do {
                try await finish(delivery, outcome)
            } catch let error as DatabaseError where error.code == .leaseLost {
                // Another worker has it and says how it ended.
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
            // The first to end ends the other; a lease that is lost has no outcome of its own.
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
                // Busy, say: a third of the lease later, there is another chance.
                continue
            } catch {
                return
            }
        }
    }
}

/// How an attempt ended.
public enum OutboxOutcome: Sendable, Equatable {
    /// The receiver has it.
    case done
    /// It may work later. Waits as the policy says, and at least `after`; becomes poison when the attempts are used up.
    case retry(reason: String, after: Duration = .zero)
    /// It will never work as it is.
    case poison(reason: String)
    /// The attempt did not take place (the program ends, the network is gone). It does not count, and the item is due at once.
    case release
}
