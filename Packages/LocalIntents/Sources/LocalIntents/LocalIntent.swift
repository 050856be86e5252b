// SPDX-License-Identifier: MIT

/// A question or an order that needs no model and no network.
public enum LocalIntent: Hashable, Sendable {
    /// The time, here or in a place.
    case time(place: String?)
    /// The date and day of the week of a day, here or in a place.
    case date(DateReference, place: String?)
    /// The number of days until a day.
    case daysUntil(DateReference)
    /// Start a timer; without a duration, ask for it.
    case setTimer(Duration?, label: String?)
    /// The time that a timer has left.
    case timeLeft(TimerChoice)
    /// The timers that run.
    case listTimers
    /// Cancel timers.
    case cancelTimer(TimerChoice)
    /// Set an alarm; without a time, ask for it.
    case setAlarm(AlarmTime?, label: String?)
    /// The alarms that are set.
    case listAlarms
    /// Cancel alarms.
    case cancelAlarm(AlarmChoice)
    /// A calculation.
    case calculate(Arithmetic)
    /// A quantity in another unit, perhaps of another dimension: `Quantity.converted(to:)` tells.
    case convert(Quantity, to: UnitOfMeasure)
    /// The letters of a word or a few words.
    case spell(String)
    /// Louder, by a number of percent if one was said.
    case raiseVolume(by: Int?)
    /// Quieter, by a number of percent if one was said.
    case lowerVolume(by: Int?)
    /// The volume in percent, 0 ... 100.
    case setVolume(Int)
    /// The volume that is set.
    case tellVolume
    /// No sound.
    case mute
    /// Sound again.
    case unmute
    /// The last answer once more.
    case repeatAnswer
    /// End what is being said or done.
    case stop
    /// Speak slower.
    case speakSlower
    /// Speak faster.
    case speakFaster
    /// The things that the assistant can do.
    case help
    /// The last question.
    case lastQuestion

    /// The intents without their values.
    public enum Kind: String, CaseIterable, Sendable {
        case time, date, daysUntil, setTimer, timeLeft, listTimers, cancelTimer, setAlarm, listAlarms, cancelAlarm
        case calculate, convert, spell, raiseVolume, lowerVolume, setVolume, tellVolume, mute, unmute, repeatAnswer
        case stop, speakSlower, speakFaster, help, lastQuestion
    }
}

/// The timers that a question or an order is about.
public enum TimerChoice: Hashable, Sendable {
    /// The one that runs; the caller asks which if there are several.
    case only
    /// The one with that label.
    case labelled(String)
    /// The one that was set to that duration.
    case lasting(Duration)
    /// The one with that label that was set to that duration.
    case labelledLasting(String, Duration)
    /// All of them.
    case all
    /// All timers or all alarms, of which the person was told last: "all of them".
    case them
}

/// The alarms that an order is about.
public enum AlarmChoice: Hashable, Sendable {
    /// The one that is set; the caller asks which if there are several.
    case only
    /// The one with that label.
    case labelled(String)
    /// The one at that time.
    case at(AlarmTime)
    /// The one with that label at that time.
    case labelledAt(String, AlarmTime)
    /// Those of a day.
    case on(DateReference)
    /// All of them.
    case all
}
