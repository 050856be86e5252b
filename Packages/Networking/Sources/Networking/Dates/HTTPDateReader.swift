// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Reads one HTTP date from its bytes, from left to right, each byte once or twice.
struct HTTPDateReader {
    /// Valid as long as the reader lives.
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Seconds since 1970, or nil.
    mutating func read(now: Date) -> Int64? {
        for name in HTTPDateNames.weekdays {
            position = 0
            // The long name first, because it begins with the short one.
            if skip(name) { return skip(", ") ? readRFC850(now: now) : nil }
            guard skip(name.prefix(3)) else { continue }
            if skip(", ") { return readFixdate() }
            return skip(" ") ? readAsctime() : nil
        }
        return nil
    }

    /// `06 Nov 1994 08:49:37 GMT`
    private mutating func readFixdate() -> Int64? {
        guard let day = number(digits: 2), skip(" "), let month = month(), skip(" "),
            let year = number(digits: 4), skip(" "), let time = time(), skip(" GMT"), isAtEnd
        else { return nil }
        return seconds(CivilDay(year: Int64(year), month: month, day: day), time)
    }

    /// `06-Nov-94 08:49:37 GMT`
    private mutating func readRFC850(now: Date) -> Int64? {
        guard let day = number(digits: 2), skip("-"), let month = month(), skip("-"),
            let shortYear = number(digits: 2), skip(" "), let time = time(), skip(" GMT"), isAtEnd,
            let today = HTTPDate(now)
        else { return nil }
        let thisDay = CivilDay(daysSince1970: today.secondsSince1970.flooredQuotient(by: 86400))
        let limit = Self.fiftyYears(after: today.secondsSince1970, on: thisDay)
        // The latest year with these digits that is not more than 50 years ahead. The 29th of February may exist in one
        // century only, so the comparison ignores the date's validity.
        var year = (thisDay.year / 100 + 1) * 100 + Int64(shortYear)
        while year >= 0 {
            let candidate = CivilDay(year: year, month: month, day: day)
            if candidate.daysSince1970 * 86400 + Int64(time) <= limit { return seconds(candidate, time) }
            year -= 100
        }
        return nil
    }

    private static func fiftyYears(after now: Int64, on day: CivilDay) -> Int64 {
        let ahead = CivilDay(year: day.year + 50, month: day.month, day: day.day)
        return now + (ahead.daysSince1970 - day.daysSince1970) * 86400
    }

    /// `Nov  6 08:49:37 1994`
    private mutating func readAsctime() -> Int64? {
        guard let month = month(), skip(" ") else { return nil }
        guard let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "),
            let time = time(), skip(" "), let year = number(digits: 4), isAtEnd
        else { return nil }
        return seconds(CivilDay(year: Int64(year), month: month, day: day), time)
    }

    private func seconds(_ day: CivilDay, _ time: Int) -> Int64? {
        day.isValid ? day.daysSince1970 * 86400 + Int64(time) : nil
    }

    /// Seconds of the day. 23:59:60 is a leap second and counts as the next midnight.
    private mutating func time() -> Int? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2), hour < 24, minute < 60
        else { return nil }
        let limit = hour == 23 && minute == 59 ? 60 : 59
        return second <= limit ? hour * 3600 + minute * 60 + second : nil
    }

    private mutating func month() -> Int? {
        for (index, name) in HTTPDateNames.months.enumerated() where skip(name) { return index + 1 }
        return nil
    }

    private mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for index in position..<position + digits {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += digits
        return value
    }

    private mutating func skip(_ text: some StringProtocol) -> Bool {
        var index = position
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        position = index
        return true
    }

    private var isAtEnd: Bool { position == bytes.count }
}
