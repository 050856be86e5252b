// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Domain
public import Sync

/// Exchanges with a person's other devices for as long as it runs, at the times of an ``ExchangeSchedule``.
public struct AutomaticSync: Sendable {
    /// Notes an occasion.
    public typealias Note = @Sendable (ExchangeSchedule.Occasion) -> Void

    /// The outcome of an exchange that did not fail.
    public enum Outcome: Sendable, Hashable {
        /// The place was asked.
        case exchanged(ExchangeReport)
        /// Nothing waited, so that the place was not asked.
        case nothingWaits
        /// Another device removed this one.
        case removed
    }

    /// A step.
    public enum Event: Sendable {
        /// An exchange.
        case exchanged(ExchangeReport)
        /// A failure that differs from the last one.
        case failed(any Error)
        /// The first exchange after a failure.
        case recovered
        /// The end: another device removed this one.
        case removed
    }

    /// The dependencies.
    public struct Ports: Sendable {
        /// Makes an exchange.
        public var exchange: @Sendable (ExchangeSchedule.Extent) async throws -> Outcome
        /// Events of the place. It is asked again some time after it has ended.
        public var news: @Sendable () -> AsyncStream<Void>
        /// Each notes occasions until it is cancelled. An error ends the run.
        public var sources: [@Sendable (@escaping Note) async throws -> Void]
        /// A random number from 0 to 1.
        public var chance: @Sendable () -> Double
        let clock: any Clock<Duration>
        /// The time since the ports were made.
        let now: @Sendable () -> Duration

        /// The ports.
        public init(
            exchange: @escaping @Sendable (ExchangeSchedule.Extent) async throws -> Outcome,
            news: @escaping @Sendable () -> AsyncStream<Void>,
            sources: [@Sendable (@escaping Note) async throws -> Void] = [],
            clock: some Clock<Duration> = ContinuousClock(),
            chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
        ) {
            (self.exchange, self.news, self.sources, self.chance) = (exchange, news, sources, chance)
            let start = clock.now
            self.clock = clock
            now = { start.duration(to: clock.now) }
        }
    }

    /// The pauses between attempts to watch a place that is out of reach.
    static let watchBackoff = Backoff(first: .seconds(5), longest: .seconds(60), jitter: .none)

    private let ports: Ports

    /// Makes the value.
    public init(_ ports: Ports) { self.ports = ports }

    /// Runs until this device is removed, a source fails or the task is cancelled.
    ///
    /// - Parameter report: Called with each step.
    /// - Throws: The error of a source, or `CancellationError`. A failed exchange is reported and tried again.
    public func callAsFunction(report: @escaping @Sendable (Event) async -> Void) async throws {
        let occasions = NotedOccasions()
        let note: Note = { occasions.note($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for source in ports.sources {
                group.addTask {
                    try await source(note)
                    return false
                }
            }
            group.addTask { try await watchPlace(note) }
            group.addTask {
                try await exchange(occasions, report)
                return true
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {}
        }
    }

    private func watchPlace(_ note: Note) async throws -> Bool {
        var failures = 0
        while true {
            failures += 1
            for await _ in ports.news() {
                failures = 1
                note(.news)
            }
            // It ended because the place is out of reach, or cannot tell.
            try await ports.clock.sleep(for: Self.watchBackoff.delay(afterFailures: failures))
        }
    }

    private func exchange(
        _ occasions: NotedOccasions, _ report: @Sendable (Event) async -> Void
    ) async throws {
        var schedule = ExchangeSchedule(at: ports.now())
        while true {
            let heard = occasions.wakeup.count
            let now = ports.now()
            for occasion in occasions.take() { schedule.note(occasion, at: now) }
            switch schedule.next(at: now) {
            case .wait(let time):
                try await occasions.wakeup.wait(after: heard, for: time - now, clock: ports.clock)
            case .exchange(let extent):
                do {
                    let outcome = try await ports.exchange(extent)
                    guard outcome != .removed else { return await report(.removed) }
                    if schedule.finished(extent, didAsk: outcome != .nothingWaits, at: ports.now()) {
                        await report(.recovered)
                    }
                    if case .exchanged(let result) = outcome { await report(.exchanged(result)) }
                } catch {
                    if error is CancellationError || Task.isCancelled { throw error }
                    let code = (error as? SyncError)?.code.rawValue ?? DomainError(translating: error).code
                    if schedule.failed(extent, code: code, at: ports.now(), chance: ports.chance()) {
                        await report(.failed(error))
                    }
                }
            }
        }
    }
}

/// The occasions since the last look at the schedule.
private final class NotedOccasions: Sendable {
    let wakeup = SyncWakeup()
    private let noted = Guarded<Set<ExchangeSchedule.Occasion>>([])

    func note(_ occasion: ExchangeSchedule.Occasion) {
        noted.withLock { _ = $0.insert(occasion) }
        wakeup.wake()
    }

    func take() -> Set<ExchangeSchedule.Occasion> {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }
}
