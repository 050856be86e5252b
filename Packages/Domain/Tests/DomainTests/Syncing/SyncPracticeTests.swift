// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct SyncPracticeTests {
    private let signal = NotedSignal()
    private let clock = NotedClock()

    /// Runs until the fetches have paused so often; the events.
    private func run(
        worker: any SyncWorker = OneItemWorker(), _ changes: [Result<PulledChanges, DomainError>], pauses: Int,
        applyLimit: @escaping @Sendable () async throws -> Void = {},
        occasions: [@Sendable (@escaping @Sendable () -> Void) async -> Void] = []
    ) async throws -> [SyncPractice.Event] {
        let events = Events()
        let ports = SyncPractice.Ports(
            worker: worker, changes: ScriptedChanges(changes), signal: signal,
            session: SessionManager(account: "ada", service: nil, store: InMemoryRuntimeConfigStore()),
            applyLimit: applyLimit, occasions: occasions, clock: clock)
        try await SyncPractice(ports)(
            until: { [signal] in
                for await _ in signal.pauses.prefix(pauses) {}
                return !Task.isCancelled
            }, report: { await events.add($0) })
        return await events.all
    }

    private func changes(added: Int = 0, awaited: Int = 0) -> Result<PulledChanges, DomainError> {
        var changes = PulledChanges()
        (changes.added, changes.awaited) = (added, awaited)
        return .success(changes)
    }

    @Test func `an awaited evaluation shortens the pause`() async throws {
        _ = try await run([changes(awaited: 1), changes()], pauses: 2)
        #expect(signal.durations.prefix(2) == [.seconds(60), .seconds(900)])
    }

    @Test func `only news is reported`() async throws {
        let events = try await run([changes(), changes(added: 2)], pauses: 2)
        let pulled = events.compactMap { if case .pulled(let changes) = $0 { changes.added } else { nil } }
        #expect(pulled == [2])
    }

    @Test func `a failed fetch is followed by another`() async throws {
        let events = try await run([.failure(.offline("No route.")), changes(added: 1)], pauses: 2)
        #expect(events.contains { if case .pulled = $0 { true } else { false } })
        #expect(signal.durations.first == .seconds(900))
    }

    @Test func `a limit that fails is tried the next day`() async throws {
        let attempts = Mutex(0)
        let (tried, more) = AsyncStream<Void>.makeStream()
        let events = Events()
        let ports = SyncPractice.Ports(
            worker: OneItemWorker(), changes: ScriptedChanges([]), signal: signal,
            session: SessionManager(account: "ada", service: nil, store: InMemoryRuntimeConfigStore()),
            applyLimit: {
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                if attempt == 1 { throw DomainError.storage("The disk is full.") }
                more.finish()
            }, clock: clock)
        try await SyncPractice(ports)(
            until: {
                for await _ in tried {}
                return true
            }, report: { await events.add($0) })
        #expect(await events.all.contains(.limitFailed(.storage("The disk is full."))))
        #expect(clock.sleeps.first == .seconds(86_400))
    }

    @Test func `what the worker does is reported`() async throws {
        let worker = OneItemWorker()
        let events = try await run(worker: worker, [changes()], pauses: 1) { await worker.hasReported() }
        #expect(events.contains(.sending(.done(OneItemWorker.work))))
    }

    @Test func `the worker's error ends the run`() async {
        struct Failing: SyncWorker {
            func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws {
                throw DomainError.signInNeeded
            }
            func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int { 0 }
        }
        await #expect(throws: DomainError.signInNeeded) {
            try await run(worker: Failing(), [], pauses: .max, occasions: [{ _ in await untilCancelled() }])
        }
    }

    @Test func `an occasion ends the pauses`() async throws {
        _ = try await run(
            [], pauses: 1,
            applyLimit: { [signal] in try await eventually("a wakeup") { signal.count > 0 } },
            occasions: [{ wake in wake() }])
        try await eventually("a wakeup") { signal.count > 0 }
    }

    @Test func `cancellation ends everything`() async {
        let running = Task { try await run([], pauses: .max) }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}

private actor Events {
    private(set) var all: [SyncPractice.Event] = []
    func add(_ event: SyncPractice.Event) { all.append(event) }
}

/// Sends one item, and then waits.
private actor OneItemWorker: SyncWorker {
    static let work = SyncItem.Work.send(.result, Identifier<PracticeResult>())
    private let (reported, continuation) = AsyncStream<Void>.makeStream()

    func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws {
        await report(.done(Self.work))
        continuation.finish()
        await untilCancelled()
        throw CancellationError()
    }

    func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int { 0 }

    /// Waits for the report.
    nonisolated func hasReported() async { for await _ in reported {} }
}

/// Answers in order; nothing new after that.
private actor ScriptedChanges: ChangeSource {
    private var answers: [Result<PulledChanges, DomainError>]
    init(_ answers: [Result<PulledChanges, DomainError>]) { self.answers = answers }
    func pull() throws -> PulledChanges { answers.isEmpty ? PulledChanges() : try answers.removeFirst().get() }
}

/// A signal whose pauses are over at once, up to a number; it notes them.
private final class NotedSignal: SyncSignal {
    let pauses: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex<(count: Int, durations: [Duration])>((0, []))

    init() { (pauses, continuation) = AsyncStream.makeStream() }

    var count: Int { state.withLock { $0.count } }
    var durations: [Duration] { state.withLock { $0.durations } }
    func wake() { state.withLock { $0.count += 1 } }

    func wait(after heard: Int, for time: Duration, clock: any Clock<Duration>) async throws -> Bool {
        let count = state.withLock { state in
            state.durations.append(time)
            return state.durations.count
        }
        continuation.yield()
        if count > 2 { await untilCancelled() }
        try Task.checkCancellation()
        return true
    }
}

/// A clock whose first sleep is over at once, and whose others last for ever; it notes them.
private final class NotedClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let noted = Mutex<[Duration]>([])
    var sleeps: [Duration] { noted.withLock { $0 } }
    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isFirst = noted.withLock { sleeps in
            sleeps.append(deadline.offset)
            return sleeps.count == 1
        }
        if !isFirst { await untilCancelled() }
        try Task.checkCancellation()
    }
}
