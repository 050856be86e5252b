// SPDX-License-Identifier: MIT

import Domain
public import FoundationEssentials

/// Times on the wire: RFC 3339 §5.6, written in UTC with milliseconds.
///
/// Times are counted in whole milliseconds, so that a written time reads back unchanged; `ISO8601FormatStyle` truncates
/// the fraction of a binary number, and 0.123 s become 122 ms.
public enum WireTime {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The text of a time, rounded to the nearest millisecond. A time that is not finite or outside the years 0 to 9999
    /// becomes the nearest valid one.
    public static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let clamped = seconds.isNaN ? 0 : min(max(seconds, -62_167_219_200), 253_402_300_799.999)
        let milliseconds = Int64((clamped * 1_000).rounded())
        var day = milliseconds / millisecondsPerDay
        if milliseconds < day * millisecondsPerDay { day -= 1 }
        let rest = milliseconds - day * millisecondsPerDay
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }
        // The clamping above leaves no day that the calendar lacks.
        let date = CalendarDate(dayNumber: Int(day))?.description ?? "1970-01-01"
        return "\(date)T\(clock.joined(separator: ":")).\(padded(rest % 1_000, 3))Z"
    }

    /// The time of a text with any offset and any fraction, rounded to the nearest millisecond; `nil` for anything
    /// else. A leap second counts as the second after it.
    public static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 64, bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let day = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self)),
            let hour = number(bytes[11..<13], upTo: 23), let minute = number(bytes[14..<16], upTo: 59),
            let second = number(bytes[17..<19], upTo: 60)
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard let value = Double("0." + String(decoding: digits, as: UTF8.self)), !digits.isEmpty else {
                return nil
            }
            fraction = value
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = offset(rest) else { return nil }
        let seconds = Int64(day.dayNumber) * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
        let milliseconds = seconds * 1_000 + Int64((fraction * 1_000).rounded())
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// The offset in minutes east of UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.count == 1, let zulu = bytes.first, zulu | 0x20 == UInt8(ascii: "z") { return 0 }
        guard bytes.count == 6, let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            bytes[bytes.startIndex + 3] == UInt8(ascii: ":"),
            let hours = number(bytes.dropFirst().prefix(2), upTo: 23), let minutes = number(bytes.suffix(2), upTo: 59)
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>, upTo limit: Int64) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return value <= limit ? value : nil
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
