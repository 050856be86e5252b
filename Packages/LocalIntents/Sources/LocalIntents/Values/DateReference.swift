// SPDX-License-Identifier: MIT

public import Domain

/// A day of the week.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday
}

extension CalendarDate {
    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        Weekday.allCases[((dayNumber + 3) % 7 + 7) % 7]
    }

    /// The date `days` later, earlier if negative; nil outside of the years 0 to 9999.
    public func adding(days: Int) -> CalendarDate? {
        let (sum, overflow) = dayNumber.addingReportingOverflow(days)
        return overflow ? nil : CalendarDate(dayNumber: sum)
    }
}

/// A day as people say it, relative to the day on which they say it.
public enum DateReference: Hashable, Sendable {
    /// A number of days from today: 0 today, 1 tomorrow, -1 yesterday.
    case days(Int)
    /// The first such day after today ("on Friday", "this Friday").
    case coming(Weekday)
    /// That day of the next week, weeks starting on Monday ("next Friday").
    case next(Weekday)
    /// The last such day before today ("last Friday").
    case last(Weekday)
    /// A day of a month, in the year if one was said, else the first such day from today on.
    case date(year: Int?, month: Int, day: Int)

    /// The date that is meant on `today`; nil if the years 0 to 9999 have none.
    public func resolved(on today: CalendarDate) -> CalendarDate? {
        let current = today.weekday.rawValue
        switch self {
        case .days(let count): return today.adding(days: count)
        case .coming(let day): return today.adding(days: (day.rawValue - current + 6) % 7 + 1)
        case .next(let day): return today.adding(days: 7 - current + day.rawValue)
        case .last(let day): return today.adding(days: -((current - day.rawValue + 6) % 7 + 1))
        case .date(let year?, let month, let day): return CalendarDate(year: year, month: month, day: day)
        case .date(nil, let month, let day):
            // 29 February may be eight years away.
            return (0...8).lazy.compactMap { CalendarDate(year: today.year + $0, month: month, day: day) }
                .first { $0 >= today }
        }
    }
}
