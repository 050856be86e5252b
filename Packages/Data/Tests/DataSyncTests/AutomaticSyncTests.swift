// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import TestKit
import Testing

@testable import DataSync
@testable import Sync

/// The driver, with a scripted place and virtual time.
@Suite(.timeLimit(.minutes(5))) struct AutomaticSyncTests {
    private let clock = ManualClock()
    private let place = ScriptedExchanges()

    private func running<Value: Sendable>(
        sources: [@Sendable (@escaping AutomaticSync.Note) async throws -> Void] = [],
        _ body: (AsyncStream<String>.Iterator) async throws -> Value
    ) async throws -> Value {
        let (events, continuation) = AsyncStream<String>.makeStream()
        let ports = AutomaticSync.Ports(
            exchange: { [place] in try await place.exchange($0) }, news: { [place] in place.news() }, sources: sources,
            clock: clock, chance: { 1 })
        let task = Task {
            defer { continuation.finish() }
            try await AutomaticSync(ports)(report: { continuation.yield($0.text) })
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(events.makeAsyncIterator())) } catch { result = .failure(error) }
        task.cancel()
        _ = await task.result
        return try result.get()
    }

    @Test func `it begins whole and offers what changes`() async throws {
        let (changes, change) = AsyncStream<Void>.makeStream()
        let source: @Sendable (@escaping AutomaticSync.Note) async -> Void = { note in
            for await _ in changes { note(.changed) }
        }
        try await running(sources: [source]) { _ in
            #expect(await place.next() == .whole)
            await clock.waitForSleeper(of: ExchangeSchedule.interval)
            change.yield()
            await clock.waitForSleeper(of: ExchangeSchedule.settling)
            clock.advance(by: ExchangeSchedule.settling)
            #expect(await place.next() == .offer)
        }
    }

    @Test func `news of the place are fetched`() async throws {
        try await running { _ in
            #expect(await place.next() == .whole)
            await place.isWatched(times: 1)
            await clock.waitForSleeper(of: ExchangeSchedule.interval)
            place.tell()
            await clock.waitForSleeper(of: ExchangeSchedule.settling)
            clock.advance(by: ExchangeSchedule.settling)
            #expect(await place.next() == .usual)
        }
    }

    @Test func `a failure is reported once and the place is watched again`() async throws {
        place.script([.failure(.offline), .failure(.offline), .success(.exchanged(.empty))])
        try await running { events in
            var events = events
            #expect(await place.next() == .whole)
            #expect(await events.next() == "failed offline")
            await place.isWatched(times: 1)
            place.endNews()
            await clock.waitForSleeper(of: AutomaticSync.watchBackoff.first)
            await clock.waitForSleeper(of: .seconds(2))
            clock.advance(by: .seconds(2))
            #expect(await place.next() == .whole)
            await clock.waitForSleeper(of: .seconds(4))
            clock.advance(by: .seconds(4))
            #expect(await place.next() == .whole)
            #expect(await events.next() == "recovered")
            #expect(await events.next() == "exchanged")
            await place.isWatched(times: 2)
        }
    }

    @Test func `a device that was removed ends it`() async throws {
        place.script([.success(.removed)])
        try await running { events in
            var events = events
            #expect(await events.next() == "removed")
            #expect(await events.next() == nil)
        }
    }

    @Test func `the error of a source ends it`() async throws {
        let ports = AutomaticSync.Ports(
            exchange: { [place] in try await place.exchange($0) }, news: { [place] in place.news() },
            sources: [{ _ in throw DomainError.signInNeeded }], clock: clock)
        await #expect(throws: DomainError.signInNeeded) { try await AutomaticSync(ports)(report: { _ in }) }
    }
}

extension AutomaticSync.Event {
    fileprivate var text: String {
        switch self {
        case .exchanged: "exchanged"
        case .failed(let error): "failed \((error as? DomainError)?.code ?? "")"
        case .recovered: "recovered"
        case .removed: "removed"
        }
    }
}

extension ExchangeReport {
    fileprivate static let empty = ExchangeReport(findings: [], newerCount: 0, readCount: 0, writtenCount: 0)
}

/// A place whose exchanges end as a script says, and then well.
private final class ScriptedExchanges: Sendable {
    enum Failure: Error { case offline }

    private struct State {
        var script: [Result<AutomaticSync.Outcome, Failure>] = []
        var news: [AsyncStream<Void>.Continuation] = []
        var watching: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Guarded(State())
    private let made: AsyncStream<ExchangeSchedule.Extent>
    private let make: AsyncStream<ExchangeSchedule.Extent>.Continuation

    init() { (made, make) = AsyncStream.makeStream() }

    func script(_ results: [Result<AutomaticSync.Outcome, Failure>]) { state.withLock { $0.script = results } }

    func exchange(_ extent: ExchangeSchedule.Extent) async throws -> AutomaticSync.Outcome {
        make.yield(extent)
        let result = state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
        switch result ?? .success(.exchanged(.empty)) {
        case .success(let outcome): return outcome
        case .failure: throw DomainError.offline("Away.")
        }
    }

    /// The next exchange that was begun.
    func next() async -> ExchangeSchedule.Extent? {
        var iterator = made.makeAsyncIterator()
        return await iterator.next()
    }

    func news() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let waiter = state.withLock { state in
            state.news.append(continuation)
            guard let watching = state.watching, state.news.count >= watching.count else {
                return nil as CheckedContinuation<Void, Never>?
            }
            state.watching = nil
            return watching.continuation
        }
        waiter?.resume()
        return stream
    }

    func tell() { _ = state.withLock { $0.news.last }?.yield() }
    func endNews() { state.withLock { $0.news.last }?.finish() }

    /// Waits until the place was watched so many times.
    func isWatched(times count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.news.count >= count { return true }
                state.watching = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
