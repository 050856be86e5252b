// SPDX-License-Identifier: MIT

import FoundationEssentials

/// How long a server asks to wait (RFC 9110 §10.2.3, and the `retry-after-ms` of several APIs).
enum RetryAfter {
    /// The wait that a response's header names, zero at least, or `nil`. The date is read only if the header has one.
    static func delay(in headers: HTTPHeaders, now: @autoclosure () -> Date) -> Duration? {
        if let text = headers["retry-after-ms"], let milliseconds = Double(text), milliseconds.isFinite {
            return .seconds(min(max(milliseconds, 0) / 1000, 1e9))
        }
        guard let text = headers["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Double(text) ?? 1e9, 1e9))
        }
        let now = now()
        guard let date = HTTPDate(text, now: now)?.date else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}
