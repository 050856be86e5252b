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
    }

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
        return ClockTime(hour: hour % 12 + (half == .pm ? 12 : 0), minute: minute) ?? self
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

    /// Makes a time.
    public init(_ clock: ClockTime, on day: DateReference? = nil) {
        self.clock = clock
        self.day = day
    }

    /// The date and time that are meant at a date and time; nil if they are past, or not within the years 0 to 9999.
    ///
    /// An ambiguous time is the next one. On another day than today it is the one from six in the morning on, so that
    /// "tomorrow at five" is 17:00. Time zones and their changes are the caller's.
    public func resolved(on today: CalendarDate, at now: ClockTime) -> (date: CalendarDate, clock: ClockTime)? {
        var times = [clock]
        if clock.isAmbiguous { times = [clock.inHalf(.am), clock.inHalf(.pm)] }
        times.sort { $0.minuteOfDay < $1.minuteOfDay }
        guard let date = day == nil ? today : day?.resolved(on: today) else { return nil }
        if date == today {
            if let time = times.first(where: { $0.minuteOfDay > now.minuteOfDay }) { return (today, time) }
            guard day == nil, let tomorrow = today.adding(days: 1) else { return nil }
            return (tomorrow, times[0])
        }
        guard date > today, let time = times.first(where: { $0.hour >= 6 }) ?? times.first else { return nil }
        return (date, time)
    }
}
