// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
import FoundationEssentials
import Persistence

/// Sends the waiting items of one account, one at a time.
///
/// An item is removed from the queue after the receiver has it, so a crash in between sends it again, which changes
/// nothing there. Without a network, without a session, and while the server asks for fewer requests, everything waits,
/// and nothing is given up; an item that the server refuses for good is poisoned, with the reason. Several processes
/// may work at once.
public struct OutboxSyncWorker: SyncWorker {
    private let queue: OutboxSyncQueue
    private let routes: [SyncItem.Kind: SyncRoute]
    private let gate: UploadGate
    private let clock: any Clock<Duration>
    private let wakeup: SyncWakeup
    private let wording: @Sendable (DomainError) -> String

    /// Makes a worker.
    ///
    /// - Parameters:
    ///   - queue: The account's queue.
    ///   - routes: The routes by kind; work of a kind without one is poisoned.
    ///   - gate: Allows recordings and results to be sent. While it is closed, only deletions are sent.
    ///   - clock: The clock of the pauses.
    ///   - wakeup: Ends pauses without a network or a session early.
    ///   - wording: Makes the text of a poisoned item's reason.
    public init(
        queue: OutboxSyncQueue, routes: [SyncRoute], gate: UploadGate, clock: any Clock<Duration> = ContinuousClock(),
        wakeup: SyncWakeup = SyncWakeup(),
        wording: @escaping @Sendable (DomainError) -> String = { $0.detail ?? $0.code }
    ) {
        self.queue = queue
        self.routes = Dictionary(routes.map { ($0.kind, $0) }) { first, _ in first }
        self.gate = gate
        self.clock = clock
        self.wakeup = wakeup
        self.wording = wording
    }

    /// See `SyncWorker`. After a failure that concerns all items it pauses: without a network from 1 s to 60 s, without
    /// a session for 60 s, else for as long as the server said. The wakeup ends the first two.
    public func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws {
        var failures = 0
        while true {
            let heard = wakeup.count
            guard let delivery = try await next() else { continue }
            guard let pause = try await deliver(delivery, report) else {
                failures = 0
                continue
            }
            failures += 1
            let duration = Self.duration(of: pause, afterFailures: failures)
            if case .told = pause {
                // The return of the network does not make the server less busy.
                try await clock.sleep(for: duration)
            } else if try await wakeup.wait(after: heard, for: duration, clock: clock) {
                failures = 0
            }
        }
    }

    /// See `SyncWorker`.
    public func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int {
        try await domainErrors {
            while let delivery = try await queue.outbox.claim(lanes: queue.lanes(gate.permission())) {
                if try await deliver(delivery, report) != nil { break }
            }
            return try await queue.waitingCount()
        }
    }

    /// The next item that may be sent; nil if the permission has changed meanwhile.
    private func next() async throws -> OutboxDelivery? {
        let permission = try await gate.permission()
        return try await domainErrors {
            try await withThrowingTaskGroup(of: OutboxDelivery?.self) { group in
                group.addTask { try await queue.outbox.next(lanes: queue.lanes(permission)) }
                group.addTask {
                    try await gate.waitForChange(from: permission)
                    return nil
                }
                let first = try await group.next()
                group.cancelAll()
                if let delivery = first ?? nil { return delivery }
                // An item that was claimed at the same moment would otherwise wait until its lease ends.
                while let last = await group.nextResult() {
                    if case .success(let delivery?) = last { return delivery }
                }
                return nil
            }
        }
    }

    private static func duration(of pause: SyncVerdict.Pause, afterFailures failures: Int) -> Duration {
        switch pause {
        case .growing:
            Backoff(first: .seconds(1), longest: .seconds(60), jitter: .none).delay(afterFailures: failures)
        case .told(let seconds): .seconds(seconds)
        case .signIn: .seconds(60)
        }
    }

    /// Delivers an item; returns the pause if all items have to wait.
    private func deliver(
        _ delivery: OutboxDelivery, _ report: @escaping @Sendable (SyncReport) async -> Void
    ) async throws -> SyncVerdict.Pause? {
        let pause = PauseNote()
        try await domainErrors {
            _ = try await queue.outbox.deliver(delivery) { item in
                guard let work = item.work else {
                    return .poison(reason: "A newer version of this program put it there. Update this one.")
                }
                do {
                    try await carryOut(work, report)
                    await report(.done(work))
                    return .done
                } catch is CancellationError {
                    return .release
                } catch DomainError.notAllowed {
                    // The item waits, or is held back by now; the next permission decides.
                    return .release
                } catch {
                    return await outcome(of: DomainError(translating: error), work, item, pause, report)
                }
            }
        }
        return await pause.value
    }

    private func outcome(
        of error: DomainError, _ work: SyncItem.Work, _ item: OutboxItem, _ note: PauseNote,
        _ report: @Sendable (SyncReport) async -> Void
    ) async -> OutboxOutcome {
        switch SyncVerdict(error) {
        case .pause(let pause):
            await note.set(pause)
            await report(.postponed(work, error))
            return .release
        case .retry where item.attempts < OutboxSyncQueue.maximumAttempts:
            await report(.postponed(work, error))
            return .retry(reason: wording(error))
        case .retry, .poisoned:
            await report(.poisoned(work, wording(error)))
            return .poison(reason: wording(error))
        }
    }

    private func carryOut(
        _ work: SyncItem.Work, _ report: @escaping @Sendable (SyncReport) async -> Void
    ) async throws {
        guard let route = routes[work.kind] else {
            throw DomainError.invalidInput("This program sends no \(SyncedKind.of(work).plural). Update it.")
        }
        switch work.action {
        case .send: try await route.send(work.id, SyncRoute.Delivery(queue: queue, gate: gate, report: report))
        case .delete: try await route.delete(work.id)
        }
    }

    private actor PauseNote {
        private(set) var value: SyncVerdict.Pause?
        func set(_ pause: SyncVerdict.Pause) { value = pause }
    }
}
