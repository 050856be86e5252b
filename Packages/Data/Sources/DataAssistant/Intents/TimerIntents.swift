// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import LocalIntents

/// Carries out the intents about timers and alarms.
struct TimerIntents {
    let clock: AlarmClock
    let zones: any TimeZones
    let now: @Sendable () -> Date

    /// The answer in words; also a refusal to set something is one.
    ///
    /// - Throws: The errors of `AlarmClock` and `TimeZones`; `invalidQuery` for another intent.
    func text(for intent: LocalIntent) async throws -> String {
        switch intent {
        case .setTimer(let duration, let label): try await setTimer(duration, label)
        case .timeLeft(let choice):
            try await found(choice) { timers, _ in
                AlarmWords.sentences(timers.map { AlarmWords.timeLeft($0, at: now()) })
            }
        case .listTimers: try await list(\.isTimer, AlarmWords.noTimer)
        case .cancelTimer(let choice):
            try await found(choice) { timers, isSure in
                guard isSure else { return AlarmWords.which(timers.map { AlarmWords.name($0) }) }
                return AlarmWords.cancelled(try await clock.cancel(Set(timers.map(\.id))))
            }
        case .setAlarm(let time, let label): try await setAlarm(time, label)
        case .listAlarms: try await list({ !$0.isTimer }, AlarmWords.noAlarm)
        case .cancelAlarm(let choice): try await cancelAlarm(choice)
        default: throw DomainError.invalidQuery
        }
    }

    // MARK: Setting

    private func setTimer(_ duration: Duration?, _ label: String?) async throws -> String {
        guard let duration else { return AlarmWords.timerNeedsDuration }
        let due = now().addingTimeInterval(duration / .seconds(1))
        return try await set(Alarm(kind: .timer(duration), due: due, label: label))
    }

    private func setAlarm(_ time: AlarmTime?, _ label: String?) async throws -> String {
        guard let time else { return AlarmWords.alarmNeedsTime }
        let present = try await wallTime(now())
        guard let clockNow = ClockTime(hour: present.hour, minute: present.minute),
            let (date, clock) = time.resolved(on: present.date, at: clockNow)
        else { return AlarmWords.refusal(.past) }
        let local = date.dayNumber * 86_400 + clock.hour * 3600 + clock.minute * 60
        let due = try await zones.moment(ofLocal: local, after: now())
        return try await set(Alarm(kind: .alarm, due: due, label: label))
    }

    private func set(_ alarm: Alarm) async throws -> String {
        do {
            let ringer = try await clock.set(alarm)
            let words = AlarmWords.set(alarm, at: try await wallTime(alarm.due), now: try await wallTime(now()))
            // A person who sets a timer for an hour stays logged in for it.
            let mayLogOut = ringer == .system && alarm.due.timeIntervalSince(now()) > 3 * 3600
            return mayLogOut ? "\(words) \(AlarmWords.whileLoggedIn)" : words
        } catch let refusal as AlarmRefusal { return AlarmWords.refusal(refusal) }
    }

    // MARK: Choosing

    private func cancelAlarm(_ choice: AlarmChoice) async throws -> String {
        let today = try await wallTime(now()).date
        var alarms: [(alarm: Alarm, time: WallTime)] = []
        for alarm in try await clock.alarms() where !alarm.isTimer {
            alarms.append((alarm, try await wallTime(alarm.due)))
        }
        guard !alarms.isEmpty else { return AlarmWords.noAlarm }
        let chosen = alarms.filter { choice.fits($0.alarm, at: $0.time, today: today) }
        let names = alarms.map { AlarmWords.name($0.alarm, at: $0.time, today: today) }
        if chosen.isEmpty { return AlarmWords.noSuch("alarm", names) }
        if chosen.count > 1, !choice.meansAll {
            return AlarmWords.which(chosen.map { AlarmWords.name($0.alarm, at: $0.time, today: today) })
        }
        return AlarmWords.cancelled(try await clock.cancel(Set(chosen.map(\.alarm.id))))
    }

    /// Passes on the timers that are meant, and true if they are beyond doubt.
    private func found(
        _ choice: TimerChoice, _ words: ([Alarm], _ isSure: Bool) async throws -> String
    ) async throws -> String {
        let timers = try await clock.alarms().filter(\.isTimer)
        guard !timers.isEmpty else { return AlarmWords.noTimer }
        let chosen = timers.filter { choice.fits($0) }
        if chosen.isEmpty { return AlarmWords.noSuch("timer", timers.map { AlarmWords.name($0) }) }
        return try await words(chosen, chosen.count == 1 || choice == .all)
    }

    private func list(_ isWanted: (Alarm) -> Bool, _ none: String) async throws -> String {
        let alarms = try await clock.alarms().filter(isWanted)
        if alarms.isEmpty { return none }
        let today = try await wallTime(now()).date
        var parts: [String] = []
        for alarm in alarms {
            parts.append(
                alarm.isTimer
                    ? AlarmWords.timeLeft(alarm, at: now())
                    : AlarmWords.rings(alarm, at: try await wallTime(alarm.due), today: today))
        }
        return AlarmWords.sentences(parts)
    }

    private func wallTime(_ moment: Date) async throws -> WallTime {
        try await WallTime(moment, zones.offset(in: nil, at: moment))
    }
}

extension Alarm {
    /// True for a timer.
    package var isTimer: Bool { kind != .alarm }
}

extension TimerChoice {
    fileprivate func fits(_ timer: Alarm) -> Bool {
        switch self {
        case .only, .all: true
        case .labelled(let label): timer.hasLabel(label)
        case .lasting(let duration): timer.kind == .timer(duration)
        }
    }
}

extension AlarmChoice {
    /// True if several alarms may be meant.
    fileprivate var meansAll: Bool {
        switch self {
        case .all, .on: true
        case .only, .labelled, .at: false
        }
    }

    fileprivate func fits(_ alarm: Alarm, at time: WallTime, today: CalendarDate) -> Bool {
        switch self {
        case .only, .all: return true
        case .labelled(let label): return alarm.hasLabel(label)
        case .on(let day): return day.resolved(on: today) == time.date
        case .at(let wanted):
            let hour =
                wanted.clock.isAmbiguous ? time.hour % 12 == wanted.clock.hour % 12 : time.hour == wanted.clock.hour
            guard hour, time.minute == wanted.clock.minute else { return false }
            return wanted.day.map { $0.resolved(on: today) == time.date } ?? true
        }
    }
}

extension Alarm {
    fileprivate func hasLabel(_ text: String) -> Bool { label?.lowercased() == text.lowercased() }
}
