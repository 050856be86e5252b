// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// An empty schedule; `again` opens the same one a second time, as another process does.
public struct AlarmScheduleSubject: Sendable {
    let schedule: any AlarmSchedule
    let again: @Sendable () async throws -> any AlarmSchedule
    let failing: Failing<any AlarmSchedule>

    /// A subject.
    ///
    /// - Parameter failing: Schedules that fail with `storage`.
    public init(
        schedule: any AlarmSchedule, again: @escaping @Sendable () async throws -> any AlarmSchedule,
        failing: Failing<any AlarmSchedule>
    ) {
        self.schedule = schedule
        self.again = again
        self.failing = failing
    }
}

/// The contract of `AlarmSchedule`.
public enum AlarmScheduleContract {
    private static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + seconds) }

    private static func timer(_ seconds: Double, label: String? = nil) -> Alarm {
        Alarm(kind: .timer(.milliseconds(Int64(seconds * 1000))), due: at(seconds), label: label)
    }

    /// Every promise.
    public static let checks: [ContractCheck<AlarmScheduleSubject>] = [
        .init("without alarms there is nothing to read, to claim or to remove") { subject in
            try await require(subject.schedule.alarms().isEmpty, "alarms out of nothing")
            try await require(subject.schedule.claim([Identifier()], at: at(0)).isEmpty, "claimed nothing")
            try await require(subject.schedule.remove([Identifier()]).isEmpty, "removed nothing")
        },
        .init("what is added is read back by every process, the earliest first, unchanged") { subject in
            let late = Alarm(kind: .alarm, due: at(7200.25), label: "Wake up 😀 \"now\"")
            let early = timer(0.5)
            try await subject.schedule.add(late)
            try await subject.again().add(early)
            for schedule in [subject.schedule, try await subject.again()] {
                let found = try await schedule.alarms()
                try require(found == [early, late], "\(found)")
            }
        },
        .init("one caller claims an alarm, and all see that it rings") { subject in
            let alarm = timer(1)
            try await subject.schedule.add(alarm)
            let first = try await subject.schedule.claim([alarm.id, Identifier()], at: at(2))
            try require(first.map(\.id) == [alarm.id], "the first caller got \(first)")
            try require(first.first?.claimedAt == at(2), "claimed at \(String(describing: first.first?.claimedAt))")
            let other = try await subject.again()
            try await require(other.claim([alarm.id], at: at(3)).isEmpty, "two claims at once")
            try await require(other.alarms().first?.isRinging(at: at(3)) == true, "nobody sees that it rings")
        },
        .init("a claim expires, so that another process rings after the first was killed") { subject in
            let alarm = timer(1)
            try await subject.schedule.add(alarm)
            _ = try await subject.schedule.claim([alarm.id], at: at(2))
            let other = try await subject.again()
            let early = try await other.claim([alarm.id], at: at(2 + Alarm.claimLimit - 1))
            try require(early.isEmpty, "a claim expired early")
            let late = try await other.claim([alarm.id], at: at(2 + Alarm.claimLimit))
            try require(late.map(\.id) == [alarm.id], "a claim never expires")
        },
        .init("a claim from the future is none: the clock was set back") { subject in
            let alarm = timer(1)
            try await subject.schedule.add(alarm)
            _ = try await subject.schedule.claim([alarm.id], at: at(5000))
            let again = try await subject.again().claim([alarm.id], at: at(2))
            try require(again.map(\.id) == [alarm.id], "held by a claim from the future")
        },
        .init("of many callers at once one gets each alarm") { subject in
            let alarms = (0..<8).map { timer(Double($0)) }
            for alarm in alarms { try await subject.schedule.add(alarm) }
            let ids = Set(alarms.map(\.id))
            let got = Collected<Identifier<Alarm>>()
            try await concurrently(6) { number in
                let schedule = number.isMultiple(of: 2) ? subject.schedule : try await subject.again()
                for alarm in try await schedule.claim(ids, at: at(9)) { await got.add(alarm.id) }
            }
            let claimed = await got.all
            try require(claimed.count == alarms.count && Set(claimed) == ids, "\(claimed.count) claims of 8 alarms")
        },
        .init("additions at once are all kept") { subject in
            try await concurrently(6) { number in
                try await (number.isMultiple(of: 2) ? subject.schedule : subject.again()).add(timer(Double(number)))
            }
            let count = try await subject.schedule.alarms().count
            try require(count == 6, "\(count) of 6 alarms")
        },
        .init("what is removed is gone for every process, also while it rings; the others stay") { subject in
            let (one, two) = (timer(1), timer(2))
            for alarm in [one, two] { try await subject.schedule.add(alarm) }
            _ = try await subject.schedule.claim([one.id], at: at(1))
            let removed = try await subject.again().remove([one.id, Identifier()])
            try require(removed.map(\.id) == [one.id], "\(removed)")
            try await require(subject.schedule.alarms() == [two], "the wrong one is gone")
            try await require(subject.schedule.remove([one.id]).isEmpty, "removed twice")
        },
        .init("its errors are documented ones") { subject in
            try await requireErrors(of: subject.failing, documented: ["storage"]) { try await $0.add(timer(1)) }
        },
        .init("a cancelled call throws CancellationError and adds nothing") { subject in
            try await requireCancelled { try await subject.schedule.add(timer(1)) }
            try await require(subject.schedule.alarms().isEmpty, "added all the same")
        },
    ]
}
