// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A date as HTTP fields write it: whole seconds in UTC (RFC 9110 §5.6.7).
///
/// Reads all three formats of the standard and writes the one that it demands, IMF-fixdate. Reading is strict to the
/// letter (case, spaces, digits, days of the month) and takes constant time, because no valid text is longer than
/// 33 bytes. The name of the day is not compared with the date: which day a two-digit year means depends on today.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted. From year 0 to year 9999.
    public let secondsSince1970: Int64

    /// The years that an IMF-fixdate can write, as seconds since 1970.
    static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// A date by its seconds; nil outside the years 0 to 9999, which HTTP cannot write.
    public init?(secondsSince1970: Int64) {
        guard Self.range.contains(secondsSince1970) else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    /// A moment, rounded down to the second; nil outside the years 0 to 9999.
    public init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard let whole = Int64(exactly: seconds) else { return nil }
        self.init(secondsSince1970: whole)
    }

    /// Reads a field value in any of the three formats; nil if it is not exactly one of them.
    ///
    /// - Parameters:
    ///   - text: The value, without white space around it.
    ///   - now: Today, for the two-digit years of RFC 850: a date that would be more than 50 years ahead of it is the
    ///     most recent one with the same two digits.
    public init?(_ text: String, now: Date) {
        let utf8 = text.utf8
        self.init(utf8.span, now: now)
    }

    /// Reads a field value from its bytes; see ``init(_:now:)-(String,_)``.
    public init?(_ bytes: Span<UInt8>, now: Date) {
        guard bytes.count >= 24, bytes.count <= 33 else { return nil }
        let read = bytes.withUnsafeBufferPointer { buffer in
            var reader = HTTPDateReader(bytes: buffer)
            return reader.read(now: now)
        }
        guard let seconds = read, Self.range.contains(seconds) else { return nil }
        secondsSince1970 = seconds
    }

    /// The date.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    /// The IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes.
    public var description: String {
        let days = secondsSince1970.flooredQuotient(by: 86400)
        let time = secondsSince1970 - days * 86400
        let day = CivilDay(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = Int((days + 4) - (days + 4).flooredQuotient(by: 7) * 7)
        return String(unsafeUninitializedCapacity: 29) { buffer in
            var writer = HTTPDateWriter(buffer: buffer)
            writer.write(HTTPDateNames.weekdays[weekday].prefix(3))
            writer.write(", ")
            writer.write(day.day, digits: 2)
            writer.write(" ")
            writer.write(HTTPDateNames.months[day.month - 1])
            writer.write(" ")
            writer.write(Int(day.year), digits: 4)
            writer.write(" ")
            writer.write(Int(time / 3600), digits: 2)
            writer.write(":")
            writer.write(Int(time / 60 % 60), digits: 2)
            writer.write(":")
            writer.write(Int(time % 60), digits: 2)
            writer.write(" GMT")
            return writer.count
        }
    }

    /// True if the first moment is before the second.
    public static func < (first: HTTPDate, second: HTTPDate) -> Bool {
        first.secondsSince1970 < second.secondsSince1970
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, for dates before 1970.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return quotient * divisor > self ? quotient - 1 : quotient
    }
}

/// Appends ASCII to a buffer that is large enough by construction.
struct HTTPDateWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func write(_ text: some StringProtocol) {
        for byte in text.utf8 {
            buffer.initializeElement(at: count, to: byte)
            count += 1
        }
    }

    mutating func write(_ number: Int, digits: Int) {
        var rest = number
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            buffer.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        count += digits
    }
}

/// The names in HTTP dates, which are English and case-sensitive (RFC 9110 §5.6.7).
enum HTTPDateNames {
    /// From Sunday; the first three letters are the short name.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
