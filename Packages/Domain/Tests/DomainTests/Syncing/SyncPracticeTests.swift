// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SyncPracticeTests {
    private let noted = NotedPauses()
    private let clock = ScriptedClock { _, number in number == 0 }

    /// Runs until the fetches have paused so often; the events.
    private func run(
        worker: any SyncWorker = OneItemWorker(), _ changes: [Result<PulledChanges, DomainError>], pauses: Int,
        applyLimit: @escaping @Sendable () async throws -> Void = {},
        occasions: [@Sendable () async -> Void] = []
    ) async throws -> [SyncPractice.Event] {
        let events = Events()
        let ports = SyncPractice.Ports(
            worker: worker, pull: scripted(changes), pause: noted.begin,
            session: SessionManager(account: "ada", service: nil, store: InMemoryRuntimeConfigStore()),
            applyLimit: applyLimit, occasions: occasions, clock: clock)
        try await SyncPractice(ports)(
            until: { [begun = noted.begun] in
                for await _ in begun.prefix(pauses) {}
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
        #expect(noted.durations.prefix(2) == [.seconds(60), .seconds(900)])
    }

    @Test func `only news is reported`() async throws {
        let events = try await run([changes(), changes(added: 2)], pauses: 2)
        let pulled = events.compactMap { if case .pulled(let changes) = $0 { changes.added } else { nil } }
        #expect(pulled == [2])
    }

    @Test func `a failed fetch is followed by another`() async throws {
        let events = try await run([.failure(.offline("No route.")), changes(added: 1)], pauses: 2)
        #expect(events.contains { if case .pulled = $0 { true } else { false } })
        #expect(noted.durations.first == .seconds(900))
    }

    @Test func `a limit that fails is tried an hour later`() async throws {
        let attempts = Mutex(0)
        let (tried, more) = AsyncStream<Void>.makeStream()
        let events = Events()
        let ports = SyncPractice.Ports(
            worker: OneItemWorker(), pull: scripted([]), pause: noted.begin,
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
        #expect(clock.waits.first == .seconds(3_600))
    }

    @Test func `heartbeats go to the account's server`() async throws {
        let service = ScriptedSessionService(answer: .failure(.offline("No route.")))
        let ports = SyncPractice.Ports(
            worker: OneItemWorker(), pull: scripted([]), pause: noted.begin,
            session: SessionManager(account: "ada", service: service, store: InMemoryRuntimeConfigStore()),
            applyLimit: {}, clock: clock)
        try await SyncPractice(ports)(
            until: {
                await service.heartbeats(1)
                return true
            }, report: { _ in })
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
            try await run(worker: Failing(), [], pauses: .max, occasions: [untilCancelled])
        }
    }

    @Test func `an occasion runs until the end`() async throws {
        let (watched, continuation) = AsyncStream<String>.makeStream()
        _ = try await run(
            [], pauses: 1,
            applyLimit: { for await _ in watched.prefix(1) {} },
            occasions: [
                {
                    continuation.yield("begun")
                    await untilCancelled()
                    continuation.finish()
                }
            ])
        for await _ in watched {}
    }

    @Test func `a pause begins before the fetch`() async throws {
        let order = Mutex<[String]>([])
        let ports = SyncPractice.Ports(
            worker: OneItemWorker(),
            pull: {
                order.withLock { $0.append("pull") }
                return PulledChanges()
            },
            pause: {
                order.withLock { $0.append("mark") }
                return { _ in
                    order.withLock { $0.append("pause") }
                    throw DomainError.signInNeeded
                }
            }, session: SessionManager(account: "ada", service: nil, store: InMemoryRuntimeConfigStore()),
            applyLimit: {}, clock: clock)
        await #expect(throws: DomainError.signInNeeded) {
            try await SyncPractice(ports)(
                until: {
                    await untilCancelled()
                    return false
                }, report: { _ in })
        }
        #expect(order.withLock { $0 } == ["mark", "pull", "pause"])
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

/// A fetch that answers in order, and with nothing new after that.
private func scripted(_ answers: [Result<PulledChanges, DomainError>]) -> @Sendable () async throws -> PulledChanges {
    let answers = Mutex(answers[...])
    return { try answers.withLock { $0.popFirst() }?.get() ?? PulledChanges() }
}

/// Pauses that are over at once, up to a number; it notes them.
private final class NotedPauses: Sendable {
    let begun: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let noted = Mutex<[Duration]>([])

    init() { (begun, continuation) = AsyncStream.makeStream() }

    var durations: [Duration] { noted.withLock { $0 } }

    @Sendable func begin() -> @Sendable (Duration) async throws -> Void {
        { time in
            let count = self.noted.withLock { durations in
                durations.append(time)
                return durations.count
            }
            self.continuation.yield()
            if count > 2 { await untilCancelled() }
            try Task.checkCancellation()
        }
    }
}
