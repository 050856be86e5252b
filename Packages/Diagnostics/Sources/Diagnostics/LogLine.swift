// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// The one-line text form of a record.
enum LogLine {
    static func text(of record: LogRecord, usesColour: Bool) -> String {
        var line = timestamp(record.time)
        line += " "
        line += usesColour ? "\u{1B}[\(colour(record.level))m\(record.level)\u{1B}[0m" : "\(record.level)"
        line += " " + LogText.name(record.category)
        // Before the message: a message could otherwise end in something that looks like metadata.
        if !record.metadata.isEmpty {
            let pairs = record.metadata.sorted { $0.key < $1.key }
                .map { key, value in LogText.name(key) + "=" + LogText.value(value.text) }
            line += " [" + pairs.joined(separator: " ") + "]"
        }
        return line + " " + LogText.escaped(record.message.text)
    }

    /// UTC with milliseconds (RFC 3339 §5.6).
    static func timestamp(_ date: Date) -> String {
        let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded(.down)) ?? 0
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        if rest < 0 {
            rest += 1_000
            seconds -= 1
        }
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return padded(Int64(parts.tm_year) + 1900, 4) + "-" + padded(Int64(parts.tm_mon) + 1, 2) + "-"
            + padded(Int64(parts.tm_mday), 2) + "T" + padded(Int64(parts.tm_hour), 2) + ":"
            + padded(Int64(parts.tm_min), 2) + ":" + padded(Int64(parts.tm_sec), 2) + "." + padded(rest, 3) + "Z"
    }

    /// The time of a ``timestamp(_:)``; nil for other text.
    static func time(_ text: String) -> Date? {
        guard text.utf8.count == 24, text.hasSuffix("Z"), let milliseconds = Int(text.dropLast().suffix(3)) else {
            return nil
        }
        let seconds = try? Date(text.prefix(19) + "Z", strategy: .iso8601)
        return seconds?.addingTimeInterval(TimeInterval(milliseconds) / 1_000)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func colour(_ level: LogLevel) -> String {
        switch level {
        case .trace, .debug: "2"
        case .info: "32"
        case .notice: "36"
        case .warning: "33"
        case .error: "31"
        case .critical: "1;31"
        }
    }
}
