// SPDX-License-Identifier: MIT

import Domain

/// Reads days: "tomorrow", "next Friday", "the 3rd of May", "May 3, 2027", "2027-05-03", "in three days".
enum DateReader {
    /// A day, the half of it if one was said ("tomorrow morning", "tonight"), and the index after the last token.
    typealias Result = (value: DateReference, half: ClockTime.Half?, end: Int)

    static let weekdays: [String: Weekday] = [
        "monday": .monday, "tuesday": .tuesday, "wednesday": .wednesday, "thursday": .thursday, "friday": .friday,
        "saturday": .saturday, "sunday": .sunday, "mon": .monday, "tue": .tuesday, "wed": .wednesday, "thu": .thursday,
        "fri": .friday, "sat": .saturday, "sun": .sunday,
    ]
    static let months: [String: Int] = [
        "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
        "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6,
        "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
    ]
    private static let ordinals: [String: Int] = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
    ]
    private static let holidays: [(words: [String], month: Int, day: Int)] = [
        (["christmas", "eve"], 12, 24), (["christmas", "day"], 12, 25), (["christmas"], 12, 25),
        (["new", "year's", "eve"], 12, 31), (["new", "years", "eve"], 12, 31), (["new", "year's", "day"], 1, 1),
        (["new", "years", "day"], 1, 1), (["new", "years"], 1, 1), (["new", "year's"], 1, 1), (["new", "year"], 1, 1),
        (["halloween"], 10, 31), (["valentine's", "day"], 2, 14), (["valentines", "day"], 2, 14),
        (["independence", "day"], 7, 4), (["veterans", "day"], 11, 11),
    ]
    private static let halves: [String: ClockTime.Half] = [
        "morning": .am, "afternoon": .pm, "evening": .pm, "night": .night,
    ]

    static func read(_ tokens: [TextToken], at start: Int) -> Result? {
        guard let day = day(tokens, at: start) else { return nil }
        if tokens.has("tonight", at: start) { return (day.value, .night, day.end) }
        if let half = halves[tokens.text(day.end)] { return (day.value, half, day.end + 1) }
        if tokens.has("in", "the", at: day.end), let half = halves[tokens.text(day.end + 2)] {
            return (day.value, half, day.end + 3)
        }
        return (day.value, nil, day.end)
    }

    private static func day(_ tokens: [TextToken], at start: Int) -> (value: DateReference, end: Int)? {
        switch tokens.text(start) {
        case "today", "tonight", "today's": return (.days(0), start + 1)
        case "tomorrow", "tomorrow's", "tomorrows": return (.days(1), start + 1)
        case "yesterday", "yesterday's", "yesterdays": return (.days(-1), start + 1)
        case "this":
            if halves[tokens.text(start + 1)] != nil { return (.days(0), start + 1) }
            return weekdays[tokens.text(start + 1)].map { (.coming($0), start + 2) }
        case "next":
            return weekdays[tokens.text(start + 1)].map { (.next($0), start + 2) }
        case "last":
            return weekdays[tokens.text(start + 1)].map { (.last($0), start + 2) }
        case "the" where tokens.has("day", "after", "tomorrow", at: start + 1): return (.days(2), start + 4)
        case "the" where tokens.has("day", "before", "yesterday", at: start + 1): return (.days(-2), start + 4)
        case "in":
            return span(tokens, at: start + 1).map { (.days($0.days), $0.end) }
        default: break
        }
        if let span = span(tokens, at: start) {
            if tokens.has("from", "now", at: span.end) || tokens.has("from", "today", at: span.end) {
                return (.days(span.days), span.end + 2)
            }
            if tokens.has("ago", at: span.end) { return (.days(-span.days), span.end + 1) }
        }
        if let day = weekdays[tokens.text(start)] {
            // "Friday the 3rd of May": the date says it all.
            return date(tokens, at: start + 1) ?? (.coming(day), start + 1)
        }
        for holiday in holidays
        where holiday.words.enumerated().allSatisfy({ tokens.text(start + $0.offset) == $0.element }) {
            return (.date(year: nil, month: holiday.month, day: holiday.day), start + holiday.words.count)
        }
        return date(tokens, at: start)
    }

    /// A number of days or weeks.
    private static func span(_ tokens: [TextToken], at start: Int) -> (days: Int, end: Int)? {
        guard let count = NumberReader.count(tokens, at: start), let number = count.value.integer,
            (1...4000).contains(number)
        else { return nil }
        switch tokens.text(count.end) {
        case "day", "days": return (number, count.end + 1)
        case "week", "weeks": return (number * 7, count.end + 1)
        default: return nil
        }
    }

    private static func date(_ tokens: [TextToken], at start: Int) -> (value: DateReference, end: Int)? {
        if let iso = iso(tokens, at: start) { return iso }
        let place = tokens.has("the", at: start) ? start + 1 : start
        if let month = months[tokens.text(place)] {
            let next = tokens.has("the", at: place + 1) ? place + 2 : place + 1
            return ordinal(tokens, at: next).flatMap { finished(tokens, month: month, day: $0.day, at: $0.end) }
        }
        guard let day = ordinal(tokens, at: place) else { return nil }
        let next = tokens.has("of", at: day.end) ? day.end + 1 : day.end
        guard let month = months[tokens.text(next)] else { return nil }
        return finished(tokens, month: month, day: day.day, at: next + 1)
    }

    /// Adds the year, if one is there, and rejects days that no year has.
    private static func finished(
        _ tokens: [TextToken], month: Int, day: Int, at end: Int
    ) -> (value: DateReference, end: Int)? {
        let comma = tokens.has("in", at: end) ? end + 1 : end
        if let year = year(tokens, at: comma) {
            return CalendarDate(year: year.value, month: month, day: day).map { _ in
                (.date(year: year.value, month: month, day: day), year.end)
            }
        }
        // 2000 is a leap year.
        return CalendarDate(year: 2000, month: month, day: day).map { _ in
            (.date(year: nil, month: month, day: day), end)
        }
    }

    /// "1999", "nineteen ninety nine", "two thousand (and) five", "twenty oh five".
    private static func year(_ tokens: [TextToken], at start: Int) -> (value: Int, end: Int)? {
        if let year = Int(tokens.text(start)), (1000...9999).contains(year) { return (year, start + 1) }
        if tokens.has("two", "thousand", at: start), let number = NumberReader.unsigned(tokens, at: start),
            let year = number.value.integer, (2000...2099).contains(year)
        {
            return (year, number.end)
        }
        guard let century = NumberReader.belowHundred(tokens, at: start), (17...20).contains(century.value) else {
            return nil
        }
        if tokens.has("hundred", at: century.end) { return (century.value * 100, century.end + 1) }
        if ["oh", "o"].contains(tokens.text(century.end)), let unit = NumberReader.units[tokens.text(century.end + 1)],
            (1...9).contains(unit)
        {
            return (century.value * 100 + unit, century.end + 2)
        }
        return NumberReader.belowHundred(tokens, at: century.end)
            .flatMap { $0.value > 9 ? (century.value * 100 + $0.value, $0.end) : nil }
    }

    /// "2027-05-03", as in ISO 8601.
    private static func iso(_ tokens: [TextToken], at start: Int) -> (value: DateReference, end: Int)? {
        guard tokens.count >= start + 5, tokens.has("-", at: start + 1), tokens.has("-", at: start + 3),
            tokens.text(start).count == 4, tokens.text(start + 2).count == 2, tokens.text(start + 4).count == 2,
            let year = Int(tokens.text(start)), let month = Int(tokens.text(start + 2)),
            let day = Int(tokens.text(start + 4)), CalendarDate(year: year, month: month, day: day) != nil
        else { return nil }
        return (.date(year: year, month: month, day: day), start + 5)
    }

    /// "3", "3rd", "third", "twenty-first".
    private static func ordinal(_ tokens: [TextToken], at start: Int) -> (day: Int, end: Int)? {
        let word = tokens.text(start)
        if let day = Int(word), (1...31).contains(day) {
            return (day, ["st", "nd", "rd", "th"].contains(tokens.text(start + 1)) ? start + 2 : start + 1)
        }
        if let day = ordinals[word] { return (day, start + 1) }
        if let ten = NumberReader.tens[word], ten <= 30 {
            let unit = ordinals[tokens.text(start + 1)] ?? NumberReader.units[tokens.text(start + 1)]
            if let unit, (1...9).contains(unit), ten + unit <= 31 { return (ten + unit, start + 2) }
            return (ten, start + 1)
        }
        return NumberReader.units[word].flatMap { $0 > 0 ? ($0, start + 1) : nil }
    }
}
