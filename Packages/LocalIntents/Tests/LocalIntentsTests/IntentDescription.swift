// SPDX-License-Identifier: MIT

@testable import LocalIntents

/// The values of an intent as the fixture writes them.
func values(of intent: LocalIntent) -> String {
    func joined(_ parts: String?...) -> String { parts.compactMap { $0 }.joined(separator: " ") }
    return switch intent {
    case .time(let place): place ?? ""
    case .date(let date, let place): joined(text(date), place)
    case .daysUntil(let date): text(date)
    case .setTimer(let duration, let label): joined(duration.map(text) ?? "?", label)
    case .timeLeft(let choice), .cancelTimer(let choice):
        switch choice {
        case .only: "only"
        case .all: "all"
        case .labelled(let label): "label \(label)"
        case .lasting(let duration): "lasting \(text(duration))"
        case .labelledLasting(let label, let duration): "label \(label) lasting \(text(duration))"
        case .them: "them"
        }
    case .setAlarm(let time, let label): joined(time.map(text) ?? "?", label)
    case .cancelAlarm(let choice):
        switch choice {
        case .only: "only"
        case .all: "all"
        case .labelled(let label): "label \(label)"
        case .at(let time): text(time)
        case .labelledAt(let label, let time): "label \(label) \(text(time))"
        case .on(let date): text(date)
        }
    case .calculate(let calculation): text(calculation)
    case .convert(let quantity, let unit):
        "\(quantity.amount) \(quantity.unit.name) = " + (quantity.converted(to: unit)?.amount.description ?? "?")
            + " \(unit.name)"
    case .spell(let word): word
    case .raiseVolume(let percent), .lowerVolume(let percent): percent.map { "\($0)" } ?? ""
    case .setVolume(let percent): "\(percent)"
    case .listTimers, .listAlarms, .tellVolume, .mute, .unmute, .repeatAnswer, .stop, .speakSlower, .speakFaster, .help,
        .lastQuestion:
        ""
    }
}

private func text(_ calculation: Arithmetic) -> String {
    do { return try calculation.result().description } catch { return "\(error)" }
}

private func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? "\(seconds)" : "\(Double(seconds) + Double(attoseconds) * 1e-18)"
}

private func text(_ time: AlarmTime) -> String {
    [time.clock.description, time.day.map(text), time.isAfterMidnight ? "night" : nil].compactMap { $0 }
        .joined(separator: " ")
}

func text(_ date: DateReference) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return switch date {
    case .days(let count): count < 0 ? "\(count)" : "+\(count)"
    case .coming(let day): "coming \(day)"
    case .next(let day): "next \(day)"
    case .last(let day): "last \(day)"
    case .date(let year, let month, let day): (year.map { "\($0)-" } ?? "") + "\(padded(month))-\(padded(day))"
    }
}
