// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// Time is a manual clock for both: the wall's date is its start and what the clock has moved.
@Suite(.timeLimit(.minutes(5))) struct RingAlarmsTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let clock = ManualClock()
    private let schedule = InMemoryAlarmSchedule()
    private let sounds = Sounds()
    private let events: AsyncStream<AlarmEvent>
    private let entry: AsyncStream<AlarmEvent>.Continuation

    init() { (events, entry) = AsyncStream.makeStream() }

    /// The sounds that began and ended.
    private final class Sounds: Sendable {
        private let playing = Mutex((now: 0, failures: 0))
        let changes: AsyncStream<Int>
        let change: AsyncStream<Int>.Continuation
        var failures: Int { playing.withLock { $0.failures } }

        init() { (changes, change) = AsyncStream.makeStream() }

        func ring() async throws {
            change(by: 1)
            await untilCancelled()
            change(by: -1)
            throw CancellationError()
        }

        /// Fails twice, then rings.
        func ringAtLast() async throws {
            let failures = playing.withLock { playing in
                playing.failures += 1
                return playing.failures
            }
            if failures < 3 { throw DomainError.device("It is busy.") }
            try await ring()
        }

        private func change(by count: Int) {
            let now = playing.withLock { playing in
                playing.now += count
                return playing.now
            }
            change.yield(now)
        }
    }

    private func ringing(sound: (@Sendable () async throws -> Void)? = nil) -> RingAlarms {
        RingAlarms(
            schedule, sound: sound ?? { [sounds] in try await sounds.ring() }, clock: clock,
            now: { [clock] in Self.start.addingTimeInterval(clock.now.offset / .seconds(1)) })
    }

    private func timer(_ seconds: Double) -> Alarm {
        Alarm(kind: .timer(.seconds(abs(seconds))), due: Self.start.addingTimeInterval(seconds))
    }

    private func begin(_ ringing: RingAlarms, untilQuiet: Bool = false) -> Task<Void, any Error> {
        Task { [entry] in
            defer { entry.finish() }
            try await ringing(untilQuiet: untilQuiet) { entry.yield($0) }
        }
    }

    /// The ids of an event's alarms and its kind.
    private static func name(_ event: AlarmEvent?) -> (String, [Identifier<Alarm>]) {
        switch event {
        case .ringing(let alarms): ("ringing", alarms.map(\.id))
        case .ended(let alarms, let end): (end.rawValue, alarms.map(\.id))
        case .missed(let alarms): ("missed", alarms.map(\.id))
        case .failed(let error): (error.code, [])
        case nil: ("end", [])
        }
    }

    @Test func `a timer rings when it is due, and a minute long`() async throws {
        let alarm = timer(2.5)
        try await schedule.add(alarm)
        let ringing = ringing()
        let run = begin(ringing)
        var (events, changes) = (events.makeAsyncIterator(), sounds.changes.makeAsyncIterator())
        for wait in [1000, 1000, 500] {
            await clock.waitForSleeper(of: .milliseconds(wait))
            clock.advance(by: .milliseconds(wait))
        }
        #expect(Self.name(await events.next()) == ("ringing", [alarm.id]))
        #expect(await changes.next() == 1)
        #expect(try await schedule.alarms().first?.isRinging(at: Self.start.addingTimeInterval(3)) == true)
        for _ in 0..<60 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(Self.name(await events.next()) == ("unanswered", [alarm.id]))
        #expect(await changes.next() == 0)
        #expect(try await schedule.alarms().isEmpty)
        run.cancel()
        try await run.value
    }

    @Test func `stop silences it at once, and it rings never again`() async throws {
        let alarm = timer(-1)
        try await schedule.add(alarm)
        let ringing = ringing()
        let run = begin(ringing, untilQuiet: true)
        var (events, changes) = (events.makeAsyncIterator(), sounds.changes.makeAsyncIterator())
        #expect(Self.name(await events.next()) == ("ringing", [alarm.id]))
        #expect(await changes.next() == 1)
        #expect(await ringing.stop())
        #expect(Self.name(await events.next()) == ("stopped", [alarm.id]))
        try await run.value
        #expect(await changes.next() == 0)
        #expect(await !ringing.stop())
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test func `cancelling the task stops what rings`() async throws {
        try await schedule.add(timer(-1))
        let run = begin(ringing())
        var (events, changes) = (events.makeAsyncIterator(), sounds.changes.makeAsyncIterator())
        _ = await (events.next(), changes.next())
        run.cancel()
        #expect(Self.name(await events.next()).0 == "stopped")
        try await run.value
        #expect(await changes.next() == 0)
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test func `what another process cancels falls silent`() async throws {
        let alarm = timer(-1)
        try await schedule.add(alarm)
        let run = begin(ringing())
        var events = events.makeAsyncIterator()
        _ = await events.next()
        await clock.waitForSleepers()
        try await schedule.remove([alarm.id])
        clock.advance(by: .seconds(1))
        #expect(Self.name(await events.next()) == ("cancelled", [alarm.id]))
        run.cancel()
        try await run.value
    }

    @Test func `what was due long ago is told once and not rung`() async throws {
        let (old, new) = (timer(-4000), timer(-3))
        for alarm in [old, new] { try await schedule.add(alarm) }
        let ringing = ringing()
        let run = begin(ringing, untilQuiet: true)
        var events = events.makeAsyncIterator()
        #expect(Self.name(await events.next()) == ("missed", [old.id]))
        #expect(Self.name(await events.next()) == ("ringing", [new.id]))
        await ringing.stop()
        #expect(Self.name(await events.next()) == ("stopped", [new.id]))
        try await run.value
        #expect(await events.next() == nil)
    }

    @Test func `without anything due it returns, and makes no sound`() async throws {
        try await schedule.add(timer(60))
        try await begin(ringing(), untilQuiet: true).value
        var events = events.makeAsyncIterator()
        #expect(await events.next() == nil)
        sounds.change.finish()
        for await change in sounds.changes { Issue.record("a sound: \(change)") }
    }

    @Test func `of two processes one rings`() async throws {
        try await schedule.add(timer(-1))
        let (one, two) = (ringing(), ringing())
        let runs = [one, two].map { ringing in
            Task { [entry] in try await ringing(untilQuiet: true) { entry.yield($0) } }
        }
        var events = events.makeAsyncIterator()
        #expect(Self.name(await events.next()).0 == "ringing")
        // The other one has nothing to do and returns; this one is stopped.
        await one.stop()
        await two.stop()
        #expect(Self.name(await events.next()).0 == "stopped")
        for run in runs { try await run.value }
        entry.finish()
        #expect(await events.next() == nil)
    }

    @Test func `a device that fails is told once and tried again`() async throws {
        try await schedule.add(timer(-1))
        let ringing = ringing { [sounds] in try await sounds.ringAtLast() }
        let run = begin(ringing)
        var (events, changes) = (events.makeAsyncIterator(), sounds.changes.makeAsyncIterator())
        #expect(Self.name(await events.next()).0 == "ringing")
        #expect(Self.name(await events.next()).0 == "device")
        for count in 2...3 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            try await eventually("attempt \(count)") { sounds.failures == count }
        }
        #expect(await changes.next() == 1)
        await ringing.stop()
        #expect(Self.name(await events.next()).0 == "stopped", "one report of the device")
        run.cancel()
        try await run.value
    }

    @Test func `alarms that cannot be read are told once, and read again`() async throws {
        await schedule.fail(.storage("The disk is full."))
        let alarm = timer(-1)
        let run = begin(ringing())
        var events = events.makeAsyncIterator()
        #expect(Self.name(await events.next()).0 == "storage")
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers()
        await schedule.fail(nil)
        try await schedule.add(alarm)
        clock.advance(by: .seconds(1))
        #expect(Self.name(await events.next()) == ("ringing", [alarm.id]))
        run.cancel()
        try await run.value
    }

    @Test func `until it is quiet, an unreadable schedule is an error`() async throws {
        await schedule.fail(.storage("The disk is full."))
        await #expect(throws: DomainError.storage("The disk is full.")) {
            try await begin(ringing(), untilQuiet: true).value
        }
    }
}
