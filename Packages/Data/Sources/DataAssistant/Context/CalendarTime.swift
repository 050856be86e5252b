// SPDX-License-Identifier: MIT

import Domain
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

/// Times of iCalendar (RFC 5545 §3.3) without a calendar library.
struct CalendarTime: Equatable {
    /// Days since 1970-01-01, as `CalendarDate` counts.
    var day: Int
    /// Seconds since midnight; 0 for an all-day entry.
    var second: Int

    init(day: Int, second: Int) { (self.day, self.second) = (day, second) }

    /// The local time of a moment.
    init(_ date: Date, in zone: CalendarZone) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.seconds(date)
        second = (seconds % 86_400 + 86_400) % 86_400
        day = (seconds - second) / 86_400
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
        guard let year = number(0..<4), let month = number(4..<6), let dayOfMonth = number(6..<8),
            let date = CalendarDate(year: year, month: month, day: dayOfMonth)
        else { return nil }
        day = date.dayNumber
        second = 0
        guard bytes.count > 8 else { return }
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), let hour = number(9..<11), let minute = number(11..<13),
            let rest = number(13..<15), hour < 24, minute < 60, rest <= 60
        else { return nil }
        second = hour * 3_600 + minute * 60 + min(rest, 59)
    }

    /// The moment at which clocks of the zone show it: the first of two. A time that they leave out is counted by the
    /// offset before (RFC 5545 §3.3.5).
    func date(in zone: CalendarZone) -> Date {
        let local = Double(day) * 86_400 + Double(second)
        // A day earlier is before any change of the clocks that can matter.
        let before = zone.seconds(Date(timeIntervalSince1970: local - 86_400))
        let first = Date(timeIntervalSince1970: local - Double(before))
        let after = zone.seconds(first)
        let later = Date(timeIntervalSince1970: local - Double(after))
        return zone.seconds(later) == after ? later : first
    }

    /// The day of the week (ISO 8601): 1 is Monday, 7 is Sunday.
    static func weekday(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 + 1 }
}
