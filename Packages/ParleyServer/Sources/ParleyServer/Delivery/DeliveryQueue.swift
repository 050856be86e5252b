// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Sends messages of a ``DeliveryStore``, some at a time, until each is done. They survive the end of the process, and a
/// message that was cut off is sent once more, with the same id.
struct DeliveryQueue: Sendable {
    /// The outcome of an attempt.
    enum Outcome: Sendable, Hashable {
        /// The message is removed.
        case done
        /// The message is tried again; the reason has no address.
        case failed(String?)
        /// A root key that is missing here has sealed the message. It waits for another instance, or for the key.
        case unreadable
    }

    private static let parallelDeliveries = 4
    /// The pause between two looks for messages that became due, or that another instance left.
    private static let pause: Duration = .seconds(1)
    /// The looks between two for messages that a command has queued, when none waits.
    private static let idleLooks = 5

    let store: DeliveryStore
    /// The kind of messages, for the log.
    private let name: String
    private let logger: Logger
    private let attempt: @Sendable (DeliveryStore.Delivery) async -> Outcome
    private let bell: AsyncStream<Void>
    private let button: AsyncStream<Void>.Continuation
    private let state = SharedState()

    private final class SharedState: Sendable {
        let running = Guarded(0)
        /// False once no message waits, so that a home of its own is not looked at each second.
        let hasWaiting = Guarded(true)
    }

    init(
        _ store: DeliveryStore, name: String, logger: Logger,
        attempt: @escaping @Sendable (DeliveryStore.Delivery) async -> Outcome
    ) {
        (self.store, self.name, self.logger, self.attempt) = (store, name, logger, attempt)
        (bell, button) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks for a message that was stored just now.
    func ring() { button.yield() }

    /// Ends the waiting: ``run()`` tries once what is due, and returns.
    func finish() { button.finish() }

    /// Sends messages until ``finish()`` or cancellation. The next process sends the rest.
    func run() async {
        do {
            try await store.recover()
        } catch {
            logger.error(
                "the queue of \(name, privacy: .public) cannot be read: \(String(describing: error), privacy: .public)")
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await ringEachSecond() }
            await dispatch()
            group.cancelAll()
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.parallelDeliveries { group.addTask { await drain() } }
        }
    }

    private func ringEachSecond() async {
        var looks = 0
        while (try? await Task.sleep(for: Self.pause)) != nil {
            looks += 1
            if store.database.isShared || state.hasWaiting.withLock({ $0 }) || looks % Self.idleLooks == 0 {
                button.yield()
            }
        }
    }

    /// Sends messages until ``finish()``, which does not interrupt one that the other server is about to accept.
    private func dispatch() async {
        button.yield()
        await withDiscardingTaskGroup { group in
            for await _ in bell {
                while state.running.withLock({ $0 < Self.parallelDeliveries }), let delivery = await next() {
                    state.running.withLock { $0 += 1 }
                    group.addTask {
                        await carryOut(delivery)
                        state.running.withLock { $0 -= 1 }
                        button.yield()
                    }
                }
            }
        }
    }

    private func next() async -> DeliveryStore.Delivery? {
        do {
            // A look costs no write while nothing waits.
            let waits = try await store.count() > 0
            state.hasWaiting.withLock { $0 = waits }
            return waits ? try await store.claim() : nil
        } catch is CancellationError {
            return nil
        } catch {
            state.hasWaiting.withLock { $0 = true }
            logger.error(
                "the queue of \(name, privacy: .public) cannot be read: \(String(describing: error), privacy: .public)")
        }
        return nil
    }

    private func drain() async {
        while !Task.isCancelled, let delivery = await next() { await carryOut(delivery) }
    }

    private func carryOut(_ delivery: DeliveryStore.Delivery) async {
        do {
            let outcome: Outcome
            let reached = Guarded<Outcome?>(nil)
            do {
                outcome = try await Lease.hold(renew: { try await store.renew(delivery) }) {
                    let outcome = await attempt(delivery)
                    reached.withLock { $0 = outcome }
                    return outcome
                }
            } catch is CancellationError {
                // The other server may have taken it all the same.
                outcome = reached.withLock { $0 } ?? .failed(nil)
            }
            // Not in this task, which may be cancelled.
            let ending = Task { try await end(delivery, outcome) }
            try await ending.value
        } catch is LeaseLost {
            logger.warning("another instance has taken over one of \(name, privacy: .public)")
        } catch {
            // The message stays in the queue, and is sent once more.
            logger.error(
                "the end of one of \(name, privacy: .public) was not stored: \(String(describing: error), privacy: .public)"
            )
        }
    }

    private func end(_ delivery: DeliveryStore.Delivery, _ outcome: Outcome) async throws {
        switch outcome {
        case .done: try await store.finish(delivery)
        case .failed(let reason): try await store.postpone(delivery, failure: reason)
        case .unreadable:
            let waits = try await store.postponeSealed(delivery)
            logger.error(
                """
                one of \(name, privacy: .public) was sealed by a root key that the key file lacks, and \
                \(waits ? "waits for it" : "is dropped after three days", privacy: .public)
                """)
        }
    }
}
