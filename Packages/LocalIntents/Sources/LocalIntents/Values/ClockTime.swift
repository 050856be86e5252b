// SPDX-License-Identifier: MIT

public import Domain

/// A time on a clock.
public struct ClockTime: Hashable, Sendable, CustomStringConvertible {
    /// The half of the day.
    public enum Half: Sendable {
        /// Before noon.
        case am
        /// After noon.
        case pm
        /// The night, which runs past midnight: twelve and one to four are before noon, other hours after it.
        case night
    }

    /// The first hour that is no longer the night's.
    static let endOfNight = 5

    /// The hour, 0 ... 23; 1 ... 12 if ambiguous.
    public let hour: Int
    /// The minute, 0 ... 59.
    public let minute: Int
    /// True if the half of the day was not said ("at seven"): the caller takes the next such time.
    public let isAmbiguous: Bool

    /// A time; nil out of range.
    public init?(hour: Int, minute: Int, isAmbiguous: Bool = false) {
        guard (isAmbiguous ? 1...12 : 0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
        self.isAmbiguous = isAmbiguous
    }

    /// The time in the half of the day if it is ambiguous, else itself.
    public func inHalf(_ half: Half) -> ClockTime {
        guard isAmbiguous else { return self }
        let isAfterNoon =
            switch half {
            case .am: false
            case .pm: true
            case .night: (Self.endOfNight..<12).contains(hour)
            }
        return ClockTime(hour: hour % 12 + (isAfterNoon ? 12 : 0), minute: minute) ?? self
    }

    /// Minutes since midnight.
    var minuteOfDay: Int { hour * 60 + minute }

    /// The form "07:05", with "?" after an ambiguous time.
    public var description: String {
        "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)\(isAmbiguous ? "?" : "")"
    }
}

/// A clock time and, if one was said, its day.
public struct AlarmTime: Hashable, Sendable {
    /// The time.
    public let clock: ClockTime
    /// The day; nil for the next such time.
    public let day: DateReference?
    /// True for a time after midnight in the night that begins on the day: "tonight at one" is tomorrow's.
    public let isAfterMidnight: Bool

    /// Makes a time.
    ///
    /// - Parameter half: The half of the day, if it was said with the day.
    public init(_ clock: ClockTime, on day: DateReference? = nil, in half: ClockTime.Half? = nil) {
        self.clock = half.map { clock.inHalf($0) } ?? clock
        self.day = day
        isAfterMidnight = half == .night && !self.clock.isAmbiguous && self.clock.hour < ClockTime.endOfNight
    }

    /// The date and time that are meant at a date and time; nil if they are past, or not within the years 0 to 9999.
    ///
    /// An ambiguous time is the next one. On another day than today it is the one from six in the morning on, so that
    /// "tomorrow at five" is 17:00. Time zones and their changes are the caller's.
    public func resolved(on today: CalendarDate, at now: ClockTime) -> (date: CalendarDate, clock: ClockTime)? {
        var times = [clock]
        if clock.isAmbiguous { times = [clock.inHalf(.am), clock.inHalf(.pm)] }
        times.sort { $0.minuteOfDay < $1.minuteOfDay }
        guard var date = day == nil ? today : day?.resolved(on: today) else { return nil }
        // After midnight, tonight is the night that runs, as long as the time is still to come.
        if isAfterMidnight, day != .days(0) || clock.minuteOfDay <= now.minuteOfDay {
            guard let next = date.adding(days: 1) else { return nil }
            date = next
        }
        if date == today {
            if let time = times.first(where: { $0.minuteOfDay > now.minuteOfDay }) { return (today, time) }
            guard day == nil, let tomorrow = today.adding(days: 1) else { return nil }
            return (tomorrow, times[0])
        }
        guard date > today, let time = times.first(where: { $0.hour >= 6 }) ?? times.first else { return nil }
        return (date, time)
    }

    /// True if a time on a date is one that these words choose, said on `today`.
    public func chooses(_ time: ClockTime, on date: CalendarDate, today: CalendarDate) -> Bool {
        let isHour = clock.isAmbiguous ? time.hour % 12 == clock.hour % 12 : time.hour == clock.hour
        guard isHour, time.minute == clock.minute else { return false }
        guard let day else { return true }
        guard let named = day.resolved(on: today) else { return false }
        return isAfterMidnight ? date == named.adding(days: 1) || (day == .days(0) && date == named) : date == named
    }
}
