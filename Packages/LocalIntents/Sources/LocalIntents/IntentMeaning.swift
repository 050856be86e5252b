// SPDX-License-Identifier: MIT

/// The intent of a match and the values of its slots; nil if they do not fit together.
struct IntentMeaning {
    let intent: LocalIntent
    private(set) var entities: [(value: IntentEntity.Value, tokens: Range<Int>)] = []

    init?(_ row: PhraseTable.Row, _ match: PatternMatch) {
        let values = MatchValues(match.captures)
        var resolved: (Quantity, UnitOfMeasure)?
        switch row.kind {
        case .time: intent = .time(place: values.text)
        case .date: intent = .date(values.date ?? .days(0), place: values.text)
        case .daysUntil:
            guard let date = values.date else { return nil }
            intent = .daysUntil(date)
        case .setTimer: intent = .setTimer(values.duration, label: values.text)
        case .timeLeft: intent = .timeLeft(values.timers(row.form))
        case .listTimers: intent = .listTimers
        case .cancelTimer: intent = .cancelTimer(values.timers(row.form))
        case .setAlarm: intent = .setAlarm(values.alarm, label: values.text)
        case .listAlarms: intent = .listAlarms
        case .cancelAlarm: intent = .cancelAlarm(values.alarms(row.form))
        case .calculate:
            guard let calculation = values.calculation(row.form) else { return nil }
            intent = .calculate(calculation)
        case .convert:
            guard let conversion = values.conversion else { return nil }
            resolved = conversion
            intent = .convert(conversion.0, to: conversion.1)
        case .spell:
            guard let text = values.text else { return nil }
            intent = .spell(text)
        case .raiseVolume: intent = .raiseVolume(by: values.number)
        case .lowerVolume: intent = .lowerVolume(by: values.number)
        case .setVolume:
            let fixed: Int? = if case .fixed(let percent) = row.form { percent } else { nil }
            guard let percent = values.number ?? fixed else { return nil }
            intent = .setVolume(percent)
        case .tellVolume: intent = .tellVolume
        case .mute: intent = .mute
        case .unmute: intent = .unmute
        case .repeatAnswer: intent = .repeatAnswer
        case .stop: intent = .stop
        case .speakSlower: intent = .speakSlower
        case .speakFaster: intent = .speakFaster
        case .help: intent = .help
        case .lastQuestion: intent = .lastQuestion
        }
        entities = match.captures.compactMap { capture in
            Self.entity(capture, resolved).map { ($0, capture.tokens) }
        }
    }

    private static func entity(
        _ capture: PatternMatch.Capture, _ conversion: (quantity: Quantity, unit: UnitOfMeasure)?
    ) -> IntentEntity.Value? {
        switch capture.value {
        case .number(let value): .number(value)
        case .duration(let value): .duration(value)
        case .date(let value, _): .date(value)
        case .clock(let value): .clockTime(value)
        case .calculation(let value): .calculation(value)
        case .quantities: conversion.map { .quantity($0.quantity) }
        case .units: conversion.map { .unit($0.unit) }
        case .text(let text):
            switch capture.slot {
            case .place: .place(text)
            case .word: .word(text)
            default: .label(text)
            }
        }
    }
}

/// The values of a match's slots.
private struct MatchValues {
    private(set) var text: String?
    private(set) var date: DateReference?
    private(set) var duration: Duration?
    private var half: ClockTime.Half?
    private var clock: ClockTime?
    private var numbers: [ExactNumber] = []
    private var tree: Arithmetic?
    private var quantities: [Quantity] = []
    private var units: [UnitOfMeasure] = []
    private var hasShortUnit = false

    init(_ captures: [PatternMatch.Capture]) {
        for capture in captures {
            switch capture.value {
            case .number(let value): numbers.append(value)
            case .duration(let value): duration = value
            case .date(let value, let half): (date, self.half) = (value, half)
            case .clock(let value): clock = value
            case .calculation(let value): tree = value
            case .quantities(let values, let isShort): (quantities, hasShortUnit) = (values, hasShortUnit || isShort)
            case .units(let values, let isShort): (units, hasShortUnit) = (values, hasShortUnit || isShort)
            case .text(let value): text = value
            }
        }
    }

    var number: Int? { numbers.first?.integer }

    var alarm: AlarmTime? {
        clock.map { AlarmTime($0, on: date, in: half) }
    }

    func timers(_ form: PhraseTable.Form) -> TimerChoice {
        switch form {
        case .all: return .all
        case .them: return .them
        default: break
        }
        if let text, let duration { return .labelledLasting(text, duration) }
        return text.map { .labelled($0) } ?? duration.map { .lasting($0) } ?? .only
    }

    func alarms(_ form: PhraseTable.Form) -> AlarmChoice {
        if case .all = form { return .all }
        if let alarm { return text.map { .labelledAt($0, alarm) } ?? .at(alarm) }
        return text.map { .labelled($0) } ?? date.map { .on($0) } ?? .only
    }

    func calculation(_ form: PhraseTable.Form) -> Arithmetic? {
        if let tree { return tree }
        guard numbers.count == 2 else { return nil }
        let (first, second) = (Arithmetic.number(numbers[0]), Arithmetic.number(numbers[1]))
        if case .partFirst = form { return .percentage(first, of: second) }
        return .percentage(second, of: first)
    }

    /// The meanings of quantity and unit that have one dimension, if there are such: an ounce of a pound is a mass.
    /// Without such, a short unit may mean something else: "miles in 10k".
    var conversion: (Quantity, UnitOfMeasure)? {
        for quantity in quantities {
            if let unit = units.first(where: { $0.dimension == quantity.unit.dimension && $0 != quantity.unit }) {
                return (quantity, unit)
            }
        }
        guard let quantity = quantities.first, let unit = units.first,
            !hasShortUnit || quantity.unit.dimension == unit.dimension
        else { return nil }
        return (quantity, unit)
    }
}
