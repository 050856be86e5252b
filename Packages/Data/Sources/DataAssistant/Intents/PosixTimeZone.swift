// SPDX-License-Identifier: MIT

import Domain

/// A rule for a zone's offset, in the form of the variable TZ of POSIX.1, with the wider times of RFC 8536 §3.3.1:
/// "CET-1CEST,M3.5.0,M10.5.0/3".
struct PosixTimeZone: Sendable {
    private enum Day {
        /// The n-th day of the year from 1, 29 February not counted.
        case julian(Int)
        /// The n-th day of the year from 0.
        case ofYear(Int)
        /// The weekday (0 is Sunday) in a week of a month; week 5 is the last.
        case weekday(Int, week: Int, month: Int)
    }

    private struct Change {
        let day: Day
        /// Seconds after midnight.
        let time: Int
    }

    private let standard: ZoneOffset
    private let daylight: (offset: ZoneOffset, start: Change, end: Change)?

    /// Parses a rule; nil for anything else.
    init?(_ text: String) {
        var parser = Parser(text)
        guard text.utf8.count <= 200, let name = parser.name(), let west = parser.duration(upTo: 24) else { return nil }
        standard = ZoneOffset(seconds: -west, isDaylightSaving: false, abbreviation: name)
        guard !parser.isAtEnd else {
            daylight = nil
            return
        }
        guard let summer = parser.name() else { return nil }
        var offset = 3600 - west
        if !parser.isAtEnd, !parser.isNext(",") {
            guard let west = parser.duration(upTo: 24) else { return nil }
            offset = -west
        }
        // POSIX leaves the rule open if none is said; glibc takes that of the USA.
        if parser.isAtEnd { parser = Parser(",M3.2.0,M11.1.0") }
        guard parser.skip(","), let start = parser.change(), parser.skip(","), let end = parser.change(), parser.isAtEnd
        else { return nil }
        daylight = (ZoneOffset(seconds: offset, isDaylightSaving: true, abbreviation: summer), start, end)
    }

    /// The offset at a time in seconds since 1970.
    func offset(at time: Int64) -> ZoneOffset {
        guard let daylight, let today = CalendarDate(dayNumber: Int(time / 86400)), (1...9998).contains(today.year)
        else { return standard }
        // The year before and the one after count too: a change may be up to a week outside of its year.
        let changes = (today.year - 1...today.year + 1).flatMap { year in
            [
                (Self.time(daylight.end, in: year) - daylight.offset.seconds, false),
                (Self.time(daylight.start, in: year) - standard.seconds, true),
            ]
        }
        // Of two changes at one time the start counts: daylight-saving time all year.
        let last = changes.filter { $0.0 <= Int(time) }.max { ($0.0, $0.1 ? 1 : 0) < ($1.0, $1.1 ? 1 : 0) }
        return last?.1 == true ? daylight.offset : standard
    }

    /// A change in seconds since 1970 of the clock on the wall.
    private static func time(_ change: Change, in year: Int) -> Int {
        func number(_ month: Int, _ day: Int) -> Int {
            CalendarDate(year: year, month: month, day: day)?.dayNumber ?? 0
        }
        let newYear = number(1, 1)
        let day: Int
        switch change.day {
        case .ofYear(let count): day = newYear + count
        case .julian(let count):
            let isLeap = number(12, 31) - newYear == 365
            day = newYear + count - (isLeap && count >= 60 ? 0 : 1)
        case .weekday(let weekday, let week, let month):
            let first = number(month, 1)
            // 1970-01-01 was a Thursday.
            let offset = (weekday - (first + 4) % 7 + 14) % 7
            let next = month == 12 ? number(12, 31) + 1 : number(month + 1, 1)
            var found = first + offset + (week - 1) * 7
            if found >= next { found -= 7 }
            day = found
        }
        return day * 86400 + change.time
    }

    private struct Parser {
        private var rest: ArraySlice<UInt8>
        var isAtEnd: Bool { rest.isEmpty }

        init(_ text: String) { rest = Array(text.utf8)[...] }

        func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard isNext(character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Three letters or more, or letters, digits and signs in angle brackets.
        mutating func name() -> String? {
            let isQuoted = skip("<")
            let name = rest.prefix { byte in
                (65...90).contains(byte & 0xDF) && byte >= 65
                    || isQuoted && ((48...57).contains(byte) || byte == 43 || byte == 45)
            }
            rest = rest.dropFirst(name.count)
            guard name.count >= 3, !isQuoted || skip(">") else { return nil }
            return String(decoding: name, as: UTF8.self)
        }

        mutating func number(in range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { (48...57).contains($0) }
            guard (1...3).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
                range.contains(number)
            else { return nil }
            rest = rest.dropFirst(digits.count)
            return number
        }

        /// "[+-]hh[:mm[:ss]]" in seconds.
        mutating func duration(upTo hours: Int) -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard var seconds = number(in: 0...hours).map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where skip(":") {
                guard let count = number(in: 0...59) else { return nil }
                seconds += count * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            let day: Day
            if skip("J") {
                guard let count = number(in: 1...365) else { return nil }
                day = .julian(count)
            } else if skip("M") {
                guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
                    let weekday = number(in: 0...6)
                else { return nil }
                day = .weekday(weekday, week: week, month: month)
            } else {
                guard let count = number(in: 0...365) else { return nil }
                day = .ofYear(count)
            }
            guard skip("/") else { return Change(day: day, time: 7200) }
            return duration(upTo: 167).map { Change(day: day, time: $0) }
        }
    }
}
