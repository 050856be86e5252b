// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The server's times: microseconds from 2000-01-01 00:00 UTC.
enum PostgresTime {
    /// 2000-01-01 in seconds since 1970.
    private static let epoch = 946_684_800.0
    /// The server's limits, 4713 BC and the year 294276.
    private static let limits: ClosedRange<Int64> = -211_813_488_000_000_000...9_223_371_331_199_999_999

    /// The microseconds of a date, rounded to the nearest; nil beyond the server's limits.
    static func microseconds(of date: Date) -> Int64? {
        let seconds = date.timeIntervalSince1970 - epoch
        // Apart, so that the fraction keeps its digits.
        let whole = seconds.rounded(.down)
        guard let wholeSeconds = Int64(exactly: whole) else { return nil }
        let fraction = Int64(((seconds - whole) * 1_000_000).rounded())
        let (product, overflows) = wholeSeconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowsAgain) = product.addingReportingOverflow(fraction)
        return overflows || overflowsAgain || !limits.contains(sum) ? nil : sum
    }

    /// The date of a number of microseconds; nil for the server's `infinity` and `-infinity`.
    static func date(ofMicroseconds microseconds: Int64) -> Date? {
        guard microseconds != .max, microseconds != .min else { return nil }
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Date(timeIntervalSince1970: epoch + Double(seconds) + Double(rest) / 1_000_000)
    }

    /// The date of a number of days since 2000-01-01; nil for `infinity` and `-infinity`.
    static func date(ofDays days: Int32) -> Date? {
        days == .max || days == .min ? nil : Date(timeIntervalSince1970: epoch + Double(days) * 86_400)
    }
}
