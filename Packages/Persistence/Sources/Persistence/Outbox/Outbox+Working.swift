// SPDX-License-Identifier: MIT

extension Outbox {
    /// The items as they become due, for `for try await`. Nothing is leased ahead: the next item is taken when the loop asks
    /// for it. Each one must be finished with ``finish(_:_:)``. Never ends, except by cancelling.
    public struct Deliveries: AsyncSequence, Sendable {
        let outbox: Outbox

        /// A stateless iterator.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let outbox: Outbox

            /// See `Outbox.next`.
            public mutating func next() async throws -> OutboxDelivery? { try await outbox.next() }
        }

        /// Starts a loop.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(outbox: outbox) }
    }

    /// The items as they become due.
    nonisolated public var deliveries: Deliveries { Deliveries(outbox: self) }

    /// Delivers items one at a time until the task is cancelled; call it from several tasks to deliver several at once.
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
        while true { try await deliver(try await next(lanes: lanes), handler) }
    }

    /// Delivers one item that was claimed, and stores how it ended, as ``work(lanes:_:)`` does with each.
    ///
    /// - Returns: What the handler said.
    /// - Throws: `CancellationError`, or ``DatabaseError`` of the file.
    @discardableResult
    public func deliver(
        _ delivery: OutboxDelivery, _ handler: @escaping @Sendable (OutboxItem) async -> OutboxOutcome
    ) async throws -> OutboxOutcome {
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
