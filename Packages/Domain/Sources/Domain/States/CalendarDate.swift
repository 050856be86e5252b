// SPDX-License-Identifier: MIT

/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year, 1787 for 1787 CE.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1 to 31.
    public let day: Int

    /// The first of January 1970.
    public static let epoch = CalendarDate()

    private init() { (year, month, day) = (1970, 1, 1) }

    /// Makes a date; `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Self.monthLength(year, month)).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days of the date's month.
    public var monthLength: Int { Self.monthLength(year, month) }

    private static func monthLength(_ year: Int, _ month: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        // July and August have 31 days both.
        return month == 2 ? (isLeap ? 29 : 28) : 30 + (month + month / 8) % 2
    }

    /// The days since 1970-01-01, negative before.
    public var dayNumber: Int {
        // Years that begin in March, so that the leap day is the last one; 400 years always have as many days.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day `dayNumber` days after 1970-01-01, before it if negative; `nil` outside the years 0 to 9999.
    public init?(dayNumber: Int) {
        guard (-719_528...2_932_896).contains(dayNumber) else { return nil }
        // As in `dayNumber`: days since 0000-03-01, in eras of 400 years; before that day it is the era of -400.
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        self.init(
            year: yearOfEra + era * 400 + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// Parses the ISO 8601 form, "1845-12-29"; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2], !text.utf8.contains(UInt8(ascii: "+")),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Orders earlier dates first.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The ISO 8601 form, "1845-12-29".
    public var description: String {
        let zeros = (0...999).contains(year) ? String(repeating: "0", count: 4 - String(year).count) : ""
        return "\(zeros)\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    /// The long English form, "December 29, 1845".
    public var spoken: String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(months[month - 1]) \(day), \(year)"
    }
}
