// SPDX-License-Identifier: MIT

/// A rule by which a calendar entry recurs (RFC 5545 §3.3.10), as a test of a day: a rule without an end costs no more than one
/// with.
struct RecurrenceRule {
    private enum Frequency: String {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    private struct Weekday {
        /// 1 is Monday.
        let day: Int
        /// The place in the month, from the end if below 0; nil for each.
        let place: Int?
    }

    private let frequency: Frequency
    private var interval = 1
    private var weekdays: [Weekday] = []
    private var monthDays: [Int] = []
    private var months: [Int] = []
    private var weekStart = 1
    /// The most occurrences.
    private(set) var count: Int?
    /// The last occurrence, as written.
    private(set) var until: Substring?

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads a rule; nil for one that this does not know: seconds to hours, weeks and days of a year, positions in a set.
    init?(_ text: Substring) {
        var fields: [Substring: Substring] = [:]
        for field in text.split(separator: ";") {
            let parts = field.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        guard let frequency = fields["FREQ"].flatMap({ Frequency(rawValue: String($0)) }) else { return nil }
        self.frequency = frequency
        for (name, value) in fields {
            let numbers = value.split(separator: ",").compactMap { Int($0) }
            switch name {
            case "FREQ": break
            case "INTERVAL":
                guard let number = numbers.first, number > 0 else { return nil }
                interval = number
            case "COUNT":
                guard let number = numbers.first, number > 0 else { return nil }
                count = number
            case "UNTIL": until = value
            case "BYMONTH": months = numbers
            case "BYMONTHDAY": monthDays = numbers
            case "WKST": weekStart = (Self.names.firstIndex { value == $0 } ?? 0) + 1
            case "BYDAY":
                for word in value.split(separator: ",") {
                    guard let day = Self.names.firstIndex(where: { word.hasSuffix($0) }) else { return nil }
                    let place = word.dropLast(2)
                    guard place.isEmpty || Int(place) != nil else { return nil }
                    weekdays.append(Weekday(day: day + 1, place: Int(place)))
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

    /// True if an entry that begins on the day `start` recurs on `day`, apart from ``count`` and ``until``.
    func has(_ day: Int, from start: Int) -> Bool {
        guard day >= start else { return false }
        let (year, month, date) = CalendarTime.civil(day)
        let (firstYear, firstMonth, firstDate) = CalendarTime.civil(start)
        guard months.isEmpty || months.contains(month) else { return false }
        switch frequency {
        case .daily: return (day - start) % interval == 0 && isWanted(day, year, month, date, else: nil)
        case .weekly:
            func week(_ day: Int) -> Int { CalendarTime.floor(day + 3 - (weekStart - 1), by: 7) }
            guard (week(day) - week(start)) % interval == 0 else { return false }
            let weekday = CalendarTime.weekday(of: day)
            return weekdays.isEmpty
                ? weekday == CalendarTime.weekday(of: start) : weekdays.contains { $0.day == weekday }
        case .monthly:
            let distance = (year - firstYear) * 12 + month - firstMonth
            return distance % interval == 0 && isWanted(day, year, month, date, else: firstDate)
        case .yearly:
            guard (year - firstYear) % interval == 0, !months.isEmpty || month == firstMonth else { return false }
            return isWanted(day, year, month, date, else: firstDate)
        }
    }

    /// True for a day that the rule's days of the week and of the month name; without these, for the date `standard`.
    private func isWanted(_ day: Int, _ year: Int, _ month: Int, _ date: Int, else standard: Int?) -> Bool {
        if weekdays.isEmpty, monthDays.isEmpty { return standard.map { $0 == date } ?? true }
        let length = CalendarTime.length(year, month)
        guard monthDays.isEmpty || monthDays.contains(date) || monthDays.contains(date - length - 1) else {
            return false
        }
        let weekday = CalendarTime.weekday(of: day)
        return weekdays.isEmpty
            || weekdays.contains { wanted in
                guard wanted.day == weekday else { return false }
                guard let place = wanted.place else { return true }
                return place > 0 ? place == (date - 1) / 7 + 1 : -place == (length - date) / 7 + 1
            }
    }
}
