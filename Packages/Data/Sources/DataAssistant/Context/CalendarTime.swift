// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Returns the seconds by which the clocks of a zone are ahead of UTC at a time.
///
/// - Parameter zone: The name in the time zone database; nil for the zone of this machine.
/// - Returns: Nil for an unknown zone.
public typealias ZoneSeconds = @Sendable (_ zone: String?, _ time: Date) -> Int?

/// A time zone.
struct CalendarZone: Sendable {
    let seconds: @Sendable (Date) -> Int

    static let utc = CalendarZone { _ in 0 }

    /// The zone of this machine.
    static func local(_ offset: @escaping ZoneSeconds) -> CalendarZone { CalendarZone { offset(nil, $0) ?? 0 } }
}

/// Times of iCalendar (RFC 5545 §3.3) without a calendar library: days since 1970-01-01 in the Gregorian calendar, and seconds
/// of a day.
struct CalendarTime: Equatable {
    /// Days since 1970-01-01.
    var day: Int
    /// Seconds since midnight; 0 for an all-day entry.
    var second: Int

    init(day: Int, second: Int) { (self.day, self.second) = (day, second) }

    /// The local time of a moment.
    init(_ date: Date, in zone: CalendarZone) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.seconds(date)
        day = Self.floor(seconds, by: 86_400)
        second = seconds - day * 86_400
    }

    /// Reads "20261129" and "20261129T090000", with or without a Z at the end; nil for anything else.
    init?(_ text: Substring) {
        let bytes = Array(text.utf8.prefix(17))
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[range] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte) - 48
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let date = number(6..<8), (1...12).contains(month),
            (1...31).contains(date)
        else { return nil }
        day = Self.day(year, month, date)
        second = 0
        guard bytes.count > 8 else { return }
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), let hour = number(9..<11), let minute = number(11..<13),
            let rest = number(13..<15), hour < 24, minute < 60, rest <= 60
        else { return nil }
        second = hour * 3_600 + minute * 60 + min(rest, 59)
    }

    /// The moment at which clocks of the zone show it.
    func date(in zone: CalendarZone) -> Date {
        let local = Double(day) * 86_400 + Double(second)
        // Twice: the first guess may lie on the other side of a change of the clocks.
        var date = Date(timeIntervalSince1970: local)
        for _ in 0..<2 { date = Date(timeIntervalSince1970: local - Double(zone.seconds(date))) }
        return date
    }

    /// The day of the week (ISO 8601): 1 is Monday, 7 is Sunday.
    static func weekday(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 + 1 }

    /// The number of a date (the inverse is ``civil(_:)``).
    static func day(_ year: Int, _ month: Int, _ date: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = floor(year, by: 400)
        let ofEra = year - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// The date of a number.
    static func civil(_ day: Int) -> (year: Int, month: Int, date: Int) {
        let shifted = day + 719_468
        let era = floor(shifted, by: 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let place = (5 * ofYear + 2) / 153
        let month = place < 10 ? place + 3 : place - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * place + 2) / 5 + 1)
    }

    /// The number of days of a month.
    static func length(_ year: Int, _ month: Int) -> Int {
        day(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) - day(year, month, 1)
    }

    static func floor(_ value: Int, by divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
