// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct AlarmClockTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let schedule = InMemoryAlarmSchedule()

    private actor Dismissals {
        private(set) var alarms: [Alarm] = []
        func add(_ more: [Alarm]) { alarms += more }
    }

    private func clock(_ ringer: AlarmRinger?, dismissed: Dismissals = Dismissals()) -> AlarmClock {
        AlarmClock(
            schedule, arrange: { _ in ringer }, dismiss: { await dismissed.add($0) }, now: { Self.now })
    }

    private static func timer(_ seconds: Double) -> Alarm {
        Alarm(kind: .timer(.seconds(seconds)), due: now.addingTimeInterval(seconds))
    }

    @Test(arguments: [AlarmRinger.listener, .system])
    func `what is set is stored, and its ringer is known`(_ ringer: AlarmRinger) async throws {
        let timer = Self.timer(60)
        #expect(try await clock(ringer).set(timer) == ringer)
        #expect(try await schedule.alarms() == [timer])
    }

    @Test func `what nobody would ring is refused and not stored`() async throws {
        await #expect(throws: AlarmRefusal.nobodyRings) { try await clock(nil).set(Self.timer(60)) }
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test(
        arguments: [
            (0, AlarmRefusal.past), (-5, .past), (AlarmClock.longest + 1, .tooFar), (.infinity, .tooFar),
        ] as [(Double, AlarmRefusal)])
    func `the past and the far future are refused`(seconds: Double, refusal: AlarmRefusal) async throws {
        await #expect(throws: refusal) {
            try await clock(.system).set(Alarm(kind: .alarm, due: Self.now.addingTimeInterval(seconds)))
        }
    }

    @Test func `one more than the limit is refused`() async throws {
        for number in 1...AlarmClock.limit { try await schedule.add(Self.timer(Double(number))) }
        await #expect(throws: AlarmRefusal.tooMany) { try await clock(.system).set(Self.timer(60)) }
        #expect(try await schedule.alarms().count == AlarmClock.limit)
    }

    @Test func `what is cancelled is dismissed, what is missing is not`() async throws {
        let (one, two, dismissed) = (Self.timer(1), Self.timer(2), Dismissals())
        for alarm in [one, two] { try await schedule.add(alarm) }
        let cancelled = try await clock(.system, dismissed: dismissed).cancel([two.id, Identifier()])
        #expect(cancelled == [two])
        #expect(await dismissed.alarms == [two])
        #expect(try await schedule.alarms() == [one])
    }

    @Test func `silence ends what any process rings, and nothing else`() async throws {
        let (ringing, waiting) = (Self.timer(-1), Self.timer(60))
        for alarm in [ringing, waiting] { try await schedule.add(alarm) }
        #expect(try await !clock(.system).silence(), "nothing rings yet")
        _ = try await schedule.claim([ringing.id], at: Self.now)
        #expect(try await clock(.system).silence())
        #expect(try await schedule.alarms() == [waiting])
    }

    @Test func `what is still to come is arranged anew, and what nobody rings is told`() async throws {
        let (past, coming) = (Self.timer(-1), Self.timer(60))
        for alarm in [past, coming] { try await schedule.add(alarm) }
        #expect(try await clock(.system).rearrange().isEmpty)
        #expect(try await clock(nil).rearrange() == [coming])
    }
}
