// SPDX-License-Identifier: MIT

/// A day of the proleptic Gregorian calendar.
struct CivilDay: Equatable {
    let year: Int64
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    init(year: Int64, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is so many days after 1970-01-01.
    init(daysSince1970 days: Int64) {
        // Years are counted from March, so that the leap day is the last; an era has 400 of them, 146,097 days.
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days from 1970-01-01 to this day.
    var daysSince1970: Int64 {
        let fromMarch = month <= 2 ? year - 1 : year
        let era = fromMarch.flooredQuotient(by: 400)
        let yearOfEra = fromMarch - era * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// True if the month has such a day.
    var isValid: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }
}
