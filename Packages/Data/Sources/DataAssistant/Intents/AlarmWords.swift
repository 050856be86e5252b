// SPDX-License-Identifier: MIT

package import Domain
package import FoundationEssentials
import LocalIntents

/// Sentences about timers and alarms, to show and to speak.
package enum AlarmWords {
    static let noTimer = "No timer is set."
    static let noAlarm = "No alarm is set."
    static let timerNeedsDuration = "For how long? Say it in one sentence: set a timer for five minutes."
    static let alarmNeedsTime = "For what time? Say it in one sentence: set an alarm for seven in the morning."
    static let whileLoggedIn = "It rings while you stay logged in."

    static func refusal(_ refusal: AlarmRefusal) -> String {
        switch refusal {
        case .past: "That time is past, so nothing is set."
        case .tooFar: "That is more than a year away, so nothing is set."
        case .tooMany: "\(AlarmClock.limit) timers and alarms are set, and I keep no more. Cancel some first."
        case .nobodyRings:
            """
            Nothing is set, because nothing on this machine would ring: systemd does not run for you here. Start parley \
            listen, parley service or parley timers ring --wait, then ask again.
            """
        }
    }

    // MARK: One alarm

    /// "the pasta timer", "the 5 minute timer".
    static func name(_ timer: Alarm) -> String {
        timer.label.map { "the \($0) timer" } ?? name(timer, withLabel: nil)
    }

    /// "the 5 minute timer", "the 5 minute pasta timer".
    static func name(_ timer: Alarm, withLabel label: String?) -> String {
        guard case .timer(let duration) = timer.kind else { return "the alarm" }
        return "the \(AlarmWords.duration(duration, isAdjective: true)) \(label.map { "\($0) " } ?? "")timer"
    }

    /// "the alarm for school at 7:00 AM tomorrow".
    static func name(label: String?, at time: WallTime, today: CalendarDate) -> String {
        "the alarm\(label.map { " for \($0)" } ?? "") at \(clock(time, today: today))"
    }

    static func set(_ alarm: Alarm, at time: WallTime, now: WallTime) -> String {
        let label = alarm.label.map { " for \($0)" } ?? ""
        guard case .timer(let duration) = alarm.kind else {
            return "The alarm\(label) is set for \(clock(time, today: now.date))."
        }
        return "A timer\(label) is set for \(AlarmWords.duration(duration))."
    }

    static func timeLeft(_ timer: Alarm, at now: Date) -> String {
        let left = timer.due.timeIntervalSince(now)
        guard left > 0 else { return "\(name(timer)) is over" }
        return "\(name(timer)) has \(duration(.seconds(left.rounded(.up)))) left"
    }

    static func rings(_ alarm: Alarm, at time: WallTime, today: CalendarDate) -> String {
        "\(alarm.label.map { "the alarm for \($0)" } ?? "an alarm") rings at \(clock(time, today: today))"
    }

    /// The headline of an alarm that rings: "Timer: pasta".
    package static func title(_ alarm: Alarm) -> String {
        let kind = alarm.isTimer ? "Timer" : "Alarm"
        return alarm.label.map { "\(kind): \($0)" } ?? kind
    }

    /// The reason why it rings: "5 minutes are over." or "It is 7:00 AM."
    package static func reason(_ alarm: Alarm, zones: some TimeZones) async -> String {
        if case .timer(let duration) = alarm.kind {
            let words = AlarmWords.duration(duration)
            return "\(words) \(words.hasPrefix("1 ") && words.split(separator: " ").count == 2 ? "is" : "are") over."
        }
        guard let time = await wallTime(alarm.due, zones) else { return "It is time." }
        return IntentWords.time(time)
    }

    /// A line of a list: the time left of a timer, the time of an alarm.
    package static func line(_ alarm: Alarm, at now: Date, zones: some TimeZones) async -> String {
        if alarm.isRinging(at: now) { return "\(title(alarm)), rings now" }
        if alarm.isTimer {
            let left = alarm.due.timeIntervalSince(now)
            return "\(title(alarm)), \(left > 0 ? "\(duration(.seconds(left.rounded(.up)))) left" : "is over")"
        }
        guard let time = await wallTime(alarm.due, zones), let today = await wallTime(now, zones)?.date else {
            return title(alarm)
        }
        return "\(title(alarm)), \(clock(time, today: today))"
    }

    private static func wallTime(_ moment: Date, _ zones: some TimeZones) async -> WallTime? {
        (try? await zones.offset(in: nil, at: moment)).map { WallTime(moment, $0) }
    }

    // MARK: Several

    static func cancelled(_ alarms: [Alarm]) -> String {
        guard alarms.count != 1 else { return "The \(alarms[0].isTimer ? "timer" : "alarm") is cancelled." }
        guard !alarms.isEmpty else { return "It is over already." }
        let kinds = [
            alarms.contains(where: \.isTimer) ? "timers" : nil, alarms.allSatisfy(\.isTimer) ? nil : "alarms",
        ]
        return "\(alarms.count) \(IntentWords.joined(kinds.compactMap { $0 })) are cancelled."
    }

    static func cancelledFirst(of count: Int) -> String { "The first of \(count) such timers is cancelled." }

    /// The beginning of a question that an order with one of the names answers.
    static let whichOne = "Which one: "

    /// - Parameter all: The kind of which these are all, in the plural; nil if there are others.
    static func which(_ names: [String], all: String?) -> String {
        let names = Array(names.prefix(5))
        let others = all.map { ", or \"cancel all \($0)\"" } ?? ""
        return "\(whichOne)\(IntentWords.joined(names, by: "or"))? Say, for example, \"cancel \(names[0])\"\(others)."
    }

    static func noSuch(_ kind: String, _ names: [String]) -> String {
        "There is no such \(kind), only \(IntentWords.joined(Array(names.prefix(5))))."
    }

    /// Parts as sentences; at most five are spoken.
    static func sentences(_ parts: [String]) -> String {
        let shown = parts.prefix(5).map { IntentWords.sentence($0) }.joined(separator: " ")
        return parts.count > 5 ? "\(shown) And \(parts.count - 5) more." : shown
    }

    // MARK: Times

    /// "7:00 AM", "7:00 AM tomorrow", "7:00 AM on Friday, December 4, 2026".
    static func clock(_ time: WallTime, today: CalendarDate) -> String {
        let words = IntentWords.clock(time)
        switch time.date.dayNumber - today.dayNumber {
        case 0: return words
        case 1: return "\(words) tomorrow"
        default: return "\(words) on \(IntentWords.long(time.date))"
        }
    }

    /// "1 hour, 5 minutes and 3 seconds"; as an adjective "1 hour 5 minute 3 second".
    static func duration(_ duration: Duration, isAdjective: Bool = false) -> String {
        let seconds = duration / .seconds(1)
        guard seconds >= 1 else {
            return "\(IntentWords.number(ExactNumber(approximating: seconds)).text) second\(isAdjective ? "" : "s")"
        }
        var rest = Int(seconds.rounded())
        var parts: [String] = []
        for (name, size) in [("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)] where rest >= size {
            let count = rest / size
            rest -= count * size
            parts.append("\(count) \(name)\(count == 1 || isAdjective ? "" : "s")")
        }
        return isAdjective ? parts.joined(separator: " ") : IntentWords.joined(parts)
    }
}
