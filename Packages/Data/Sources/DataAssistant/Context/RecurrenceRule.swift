// SPDX-License-Identifier: MIT

import Domain

/// A rule by which a calendar entry recurs (RFC 5545 §3.3.10), as a test of a day: a rule without an end costs no more than one
/// with.
struct RecurrenceRule {
    private enum Frequency: String {
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    private struct Weekday: Hashable {
        /// 1 is Monday.
        let day: Int
        /// The place in the month, from the end if below 0; nil for each.
        let place: Int?
    }

    private let frequency: Frequency
    private var interval = 1
    private var weekdays: Set<Weekday> = []
    private var monthDays: Set<Int> = []
    private var months: Set<Int> = []
    private var hours: Set<Int> = []
    /// Places in the set of a day, week, month or year, from its end if below 0.
    private var positions: Set<Int> = []
    private var weekStart = 1
    /// The most occurrences.
    private(set) var count: Int?
    /// The last occurrence, as written.
    private(set) var until: Substring?

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads a rule; nil for one that this does not know: seconds, minutes, weeks and days of a year, and hours of a day
    /// except to limit hourly ones.
    init?(_ text: Substring) {
        var fields: [Substring: Substring] = [:]
        for field in text.split(separator: ";") {
            let parts = field.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        guard let frequency = fields["FREQ"].flatMap({ Frequency(rawValue: String($0)) }) else { return nil }
        self.frequency = frequency
        for (name, value) in fields {
            // Each once, however long the line is: they are looked through for every day. A year has the most days.
            let numbers = Set(value.split(separator: ",").compactMap { Int($0) }).filter { $0.magnitude <= 366 }
            switch name {
            case "FREQ": break
            case "INTERVAL":
                guard let number = Int(value), number > 0 else { return nil }
                interval = number
            case "COUNT":
                guard let number = Int(value), number > 0 else { return nil }
                count = number
            case "UNTIL":
                // A rule without a readable end would never end.
                guard CalendarTime(value) != nil else { return nil }
                until = value
            case "BYMONTH" where !numbers.isEmpty: months = numbers
            case "BYMONTHDAY" where !numbers.isEmpty: monthDays = numbers
            case "BYHOUR" where frequency == .hourly && !numbers.isEmpty: hours = numbers
            case "BYSETPOS" where frequency != .hourly && !numbers.isEmpty && !numbers.contains(0): positions = numbers
            case "WKST": weekStart = (Self.names.firstIndex { value == $0 } ?? 0) + 1
            case "BYDAY":
                for word in value.split(separator: ",") {
                    guard let day = Self.names.firstIndex(where: { word.hasSuffix($0) }) else { return nil }
                    let text = word.dropLast(2)
                    let place = Int(text)
                    // RFC 5545 has 1 to 53, and the same from the end.
                    guard text.isEmpty || place.map({ (1...53).contains($0.magnitude) }) == true else { return nil }
                    weekdays.insert(Weekday(day: day + 1, place: place))
                }
            default: return nil
            }
        }
        // A place counts in the month; in a year without a month it would count in the year.
        let hasPlaces = weekdays.contains { $0.place != nil }
        if hasPlaces, frequency != .monthly, !(frequency == .yearly && !months.isEmpty) { return nil }
        if frequency == .yearly, months.isEmpty, !weekdays.isEmpty || !monthDays.isEmpty { return nil }
        if frequency == .weekly, !monthDays.isEmpty { return nil }
    }

    /// True for a rule that has several times in a day.
    var isHourly: Bool { frequency == .hourly }

    /// The most days that ``has(_:from:)`` looks at.
    var effort: Int {
        guard !positions.isEmpty else { return 1 }
        return switch frequency {
        case .hourly, .daily: 1
        case .weekly: 7
        case .monthly: 31
        case .yearly: 366
        }
    }

    /// The seconds since midnight at which an entry recurs on a day that the rule has.
    func seconds(on day: Int, from start: CalendarTime) -> [Int] {
        guard isHourly else { return [start.second] }
        return (0..<24).filter { hour in
            let distance = (day - start.day) * 24 + hour - start.second / 3_600
            return distance >= 0 && distance % interval == 0 && (hours.isEmpty || hours.contains(hour))
        }.map { $0 * 3_600 + start.second % 3_600 }
    }

    /// True if an entry that begins on the day `start` recurs on `day`, apart from ``count`` and ``until``.
    func has(_ day: Int, from start: Int) -> Bool {
        guard day >= start, matches(day, from: start) else { return false }
        guard !positions.isEmpty else { return true }
        let set = period(of: day).filter { matches($0, from: start) }
        guard let index = set.firstIndex(of: day) else { return false }
        return positions.contains(index + 1) || positions.contains(index - set.count)
    }

    /// The days of the rule's day, week, month or year.
    private func period(of day: Int) -> ClosedRange<Int> {
        guard let date = CalendarDate(dayNumber: day) else { return day...day }
        switch frequency {
        case .hourly, .daily: return day...day
        case .weekly: return firstOfWeek(day)...(firstOfWeek(day) + 6)
        case .monthly: return (day - date.day + 1)...(day - date.day + date.monthLength)
        case .yearly:
            let ends = [(1, 1), (12, 31)].map { CalendarDate(year: date.year, month: $0, day: $1)?.dayNumber ?? day }
            return ends[0]...ends[1]
        }
    }

    private func firstOfWeek(_ day: Int) -> Int { day - (CalendarTime.weekday(of: day) - weekStart + 7) % 7 }

    /// True for a day that the rule has without ``positions``, also before the first one.
    private func matches(_ day: Int, from start: Int) -> Bool {
        guard let date = CalendarDate(dayNumber: day), let first = CalendarDate(dayNumber: start),
            months.isEmpty || months.contains(date.month)
        else { return false }
        switch frequency {
        case .hourly: return isWanted(date, day, else: nil)
        case .daily: return (day - start) % interval == 0 && isWanted(date, day, else: nil)
        case .weekly:
            guard (firstOfWeek(day) - firstOfWeek(start)) / 7 % interval == 0 else { return false }
            let weekday = CalendarTime.weekday(of: day)
            return weekdays.isEmpty
                ? weekday == CalendarTime.weekday(of: start) : weekdays.contains { $0.day == weekday }
        case .monthly:
            let distance = (date.year - first.year) * 12 + date.month - first.month
            return distance % interval == 0 && isWanted(date, day, else: first.day)
        case .yearly:
            guard (date.year - first.year) % interval == 0, !months.isEmpty || date.month == first.month else {
                return false
            }
            return isWanted(date, day, else: first.day)
        }
    }

    /// True for a day that the rule's days of the week and of the month name; without these, for the one `standard` of
    /// the month.
    private func isWanted(_ date: CalendarDate, _ day: Int, else standard: Int?) -> Bool {
        let (ofMonth, length) = (date.day, date.monthLength)
        if weekdays.isEmpty, monthDays.isEmpty { return standard.map { $0 == ofMonth } ?? true }
        guard monthDays.isEmpty || monthDays.contains(ofMonth) || monthDays.contains(ofMonth - length - 1) else {
            return false
        }
        let weekday = CalendarTime.weekday(of: day)
        let places = [nil, (ofMonth - 1) / 7 + 1, -((length - ofMonth) / 7 + 1)]
        return weekdays.isEmpty || places.contains { weekdays.contains(Weekday(day: weekday, place: $0)) }
    }
}
