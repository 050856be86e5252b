// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import LocalIntents

/// Carries out the intents about timers and alarms.
struct TimerIntents {
    let clock: AlarmClock
    let zones: any TimeZones
    /// The last answer of the conversation.
    let lastAnswer: String?
    /// Reads an order: a name is offered only if it can be said back.
    let read: @Sendable (String) -> LocalIntent?
    let now: @Sendable () -> Date

    /// The answer in words; also a refusal to set something is one.
    ///
    /// - Throws: The errors of `AlarmClock` and `TimeZones`; `invalidQuery` for another intent.
    func text(for intent: LocalIntent) async throws -> String {
        switch intent {
        case .setTimer(let duration, let label): try await setTimer(duration, label)
        case .timeLeft(let choice): try await timeLeft(choice)
        case .listTimers: try await list(\.isTimer, AlarmWords.noTimer)
        case .cancelTimer(.them): try await cancelThem()
        case .cancelTimer(let choice): try await cancelTimer(choice)
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

    /// An alarm with the words that choose it.
    private struct Named {
        let alarm: Alarm
        let name: String
    }

    private func timeLeft(_ choice: TimerChoice) async throws -> String {
        let timers = try await clock.alarms().filter(\.isTimer)
        guard !timers.isEmpty else { return AlarmWords.noTimer }
        let chosen = timers.filter { choice.fits($0) }
        if chosen.isEmpty { return AlarmWords.noSuch("timer", named(timers).map(\.name)) }
        return AlarmWords.sentences(chosen.map { AlarmWords.timeLeft($0, at: now()) })
    }

    private func cancelTimer(_ choice: TimerChoice) async throws -> String {
        let alarms = try await clock.alarms()
        if choice == .only, let ringing = ringing(alarms) { return try await cancel(ringing) }
        let timers = named(alarms.filter(\.isTimer))
        guard !timers.isEmpty else { return AlarmWords.noTimer }
        let chosen = timers.filter { choice.fits($0.alarm) }
        if chosen.isEmpty { return AlarmWords.noSuch("timer", timers.map(\.name)) }
        if choice == .all { return try await cancel(chosen.map(\.alarm)) }
        return try await cancelOne(
            of: chosen, meant: .cancelTimer(choice), all: chosen.count == timers.count ? "timers" : nil)
    }

    private func cancelAlarm(_ choice: AlarmChoice) async throws -> String {
        let all = try await clock.alarms()
        if choice == .only, let ringing = ringing(all) { return try await cancel(ringing) }
        let today = try await wallTime(now()).date
        let alarms = try await named(all.filter { !$0.isTimer }, today: today)
        guard !alarms.isEmpty else { return AlarmWords.noAlarm }
        let chosen = alarms.filter { choice.fits($0.named.alarm, at: $0.time, today: today) }.map(\.named)
        if chosen.isEmpty { return AlarmWords.noSuch("alarm", alarms.map(\.named.name)) }
        if choice.meansAll { return try await cancel(chosen.map(\.alarm)) }
        return try await cancelOne(
            of: chosen, meant: .cancelAlarm(choice), all: chosen.count == alarms.count ? "alarms" : nil)
    }

    /// Cancels those of which the person was told last. At the beginning of a conversation they are the timers, else the
    /// alarms.
    private func cancelThem() async throws -> String {
        let all = try await clock.alarms()
        let told = lastAnswer?.lowercased() ?? ""
        let (toldTimer, toldAlarm) = (told.contains("timer"), told.contains("alarm"))
        guard toldTimer || toldAlarm || (lastAnswer == nil && !all.isEmpty) else { throw DomainError.invalidQuery }
        let meansTimers = toldTimer == toldAlarm ? all.contains(where: \.isTimer) : toldTimer
        let meant = all.filter { $0.isTimer == meansTimers }
        guard !meant.isEmpty else { return meansTimers ? AlarmWords.noTimer : AlarmWords.noAlarm }
        guard told.hasPrefix(AlarmWords.whichOne.lowercased()) else { return try await cancel(meant) }
        let today = try await wallTime(now()).date
        let names = meansTimers ? named(meant) : try await named(meant, today: today).map(\.named)
        let offered = names.filter { told.contains($0.name.lowercased()) }.map(\.alarm)
        return try await cancel(offered.isEmpty ? meant : offered)
    }

    /// Cancels the one that is meant, or asks for it. One that rings goes first, then one of exactly that name.
    private func cancelOne(of chosen: [Named], meant intent: LocalIntent, all: String?) async throws -> String {
        if chosen.count == 1 { return try await cancel(chosen.map(\.alarm)) }
        if let ringing = ringing(chosen.map(\.alarm)) { return try await cancel(ringing) }
        let exact = chosen.filter { read("cancel \($0.name)") == intent }
        let left = exact.isEmpty ? chosen : exact
        var names: [String] = []
        for one in left where !names.contains(one.name) { names.append(one.name) }
        guard names.count == 1, let first = left.first else { return AlarmWords.which(names, all: all) }
        // No words tell these apart. Alarms of one name ring at one time; of the timers, the first one goes.
        guard left.count > 1, first.alarm.isTimer else { return try await cancel(left.map(\.alarm)) }
        _ = try await clock.cancel([first.alarm.id])
        return AlarmWords.cancelledFirst(of: left.count)
    }

    private func cancel(_ alarms: [Alarm]) async throws -> String {
        AlarmWords.cancelled(try await clock.cancel(Set(alarms.map(\.id))))
    }

    /// Those that ring now; nil for none.
    private func ringing(_ alarms: [Alarm]) -> [Alarm]? {
        let now = now()
        let ringing = alarms.filter { $0.isRinging(at: now) }
        return ringing.isEmpty ? nil : ringing
    }

    private func named(_ timers: [Alarm]) -> [Named] {
        timers.map { timer in
            guard let label = timer.label else { return Named(alarm: timer, name: AlarmWords.name(timer)) }
            let isUnique = timers.allSatisfy { !$0.hasLabel(label) || timer.lasts($0.kind) }
            let names =
                isUnique
                ? [AlarmWords.name(timer), "the timer for \(label)"] : [AlarmWords.name(timer, withLabel: label)]
            let name = names.first { name in
                if case .cancelTimer(let choice)? = read("cancel \(name)") { choice.fits(timer) } else { false }
            }
            return Named(alarm: timer, name: name ?? AlarmWords.name(timer, withLabel: nil))
        }
    }

    private func named(_ alarms: [Alarm], today: CalendarDate) async throws -> [(named: Named, time: WallTime)] {
        var result: [(Named, WallTime)] = []
        for alarm in alarms {
            let time = try await wallTime(alarm.due)
            let name = AlarmWords.name(label: alarm.label, at: time, today: today)
            let canBeSaid =
                if case .cancelAlarm(let choice)? = read("cancel \(name)") {
                    choice.fits(alarm, at: time, today: today)
                } else { false }
            let short = AlarmWords.name(label: nil, at: time, today: today)
            result.append((Named(alarm: alarm, name: canBeSaid ? name : short), time))
        }
        return result
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
        case .only, .all, .them: true
        case .labelled(let label): timer.hasLabel(label)
        case .lasting(let duration): timer.lasts(.timer(duration))
        case .labelledLasting(let label, let duration): timer.hasLabel(label) && timer.lasts(.timer(duration))
        }
    }
}

extension AlarmChoice {
    /// True if several alarms may be meant.
    fileprivate var meansAll: Bool {
        switch self {
        case .all, .on: true
        case .only, .labelled, .at, .labelledAt: false
        }
    }

    fileprivate func fits(_ alarm: Alarm, at time: WallTime, today: CalendarDate) -> Bool {
        switch self {
        case .only, .all: return true
        case .labelled(let label): return alarm.hasLabel(label)
        case .on(let day): return day.resolved(on: today) == time.date
        case .at(let wanted):
            guard let clock = ClockTime(hour: time.hour, minute: time.minute) else { return false }
            return wanted.chooses(clock, on: time.date, today: today)
        case .labelledAt(let label, let wanted):
            return alarm.hasLabel(label) && AlarmChoice.at(wanted).fits(alarm, at: time, today: today)
        }
    }
}

extension Alarm {
    fileprivate func hasLabel(_ text: String) -> Bool { label?.lowercased() == text.lowercased() }

    /// True for a timer of a duration that is called the same.
    fileprivate func lasts(_ kind: Alarm.Kind) -> Bool {
        guard case .timer(let one) = self.kind, case .timer(let other) = kind else { return false }
        return AlarmWords.duration(one) == AlarmWords.duration(other)
    }
}
