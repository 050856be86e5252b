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
        /// Events of the place. It is asked again after it has ended and the place was reached.
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

    /// The shortest time between two starts of watching the place.
    static let watchPause = Duration.seconds(5)

    private let ports: Ports

    /// Makes the value.
    public init(_ ports: Ports) { self.ports = ports }

    /// Runs until this device is removed, a source fails or the task is cancelled.
    ///
    /// - Parameter report: Called with each step.
    /// - Throws: The error of a source, or `CancellationError`. A failed exchange is reported and tried again.
    public func callAsFunction(report: @escaping @Sendable (Event) async -> Void) async throws {
        let (occasions, reached) = (NotedOccasions(), SyncWakeup())
        let note: Note = { occasions.note($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for source in ports.sources {
                group.addTask {
                    try await source(note)
                    return false
                }
            }
            group.addTask { try await watchPlace(reached, note) }
            group.addTask {
                try await exchange(occasions, reached, report)
                return true
            }
            defer { group.cancelAll() }
            while let isOver = try await group.next(), !isOver {}
        }
    }

    private func watchPlace(_ reached: SyncWakeup, _ note: Note) async throws -> Bool {
        while true {
            let heard = reached.count
            for await _ in ports.news() { note(.news) }
            try Task.checkCancellation()
            // It ended because the place is out of reach, or cannot tell.
            try await ports.clock.sleep(for: Self.watchPause)
            while reached.count == heard {
                try await reached.wait(after: heard, for: ExchangeSchedule.interval, clock: ports.clock)
            }
        }
    }

    private func exchange(
        _ occasions: NotedOccasions, _ reached: SyncWakeup, _ report: @Sendable (Event) async -> Void
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
                    if case .exchanged(let result) = outcome {
                        reached.wake()
                        await report(.exchanged(result))
                    }
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
