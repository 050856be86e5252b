// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The waits that a server asks for.
extension HTTPHeaders {
    /// The wait in `retry-after-ms`, or in `Retry-After` as seconds or a date (RFC 9110 §10.2.3), a day at most; nil for
    /// none. A date is measured by the server's own clock, if the response has its `Date`.
    ///
    /// - Parameter now: This machine's time. It is read only if the header has a date.
    public func retryAfter(now: @autoclosure () -> Date) -> Duration? {
        let seconds: Double?
        if let text = self["retry-after-ms"], let milliseconds = Double(text), milliseconds.isFinite {
            seconds = milliseconds / 1_000
        } else if let text = self["Retry-After"] {
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) {
                seconds = Double(text)
            } else {
                let now = now()
                seconds = HTTPDate(text, now: now).map { $0.date.timeIntervalSince(date(now: now)) }
            }
        } else {
            seconds = nil
        }
        return seconds.map { Self.wait($0, limit: 86_400) }
    }

    /// The wait in a field such as `x-ratelimit-reset`: as seconds, as the second since 1970 at which it ends, or with
    /// units (`1m30.5s`, `250ms`); nil for none.
    ///
    /// - Parameter now: This machine's time, for a response without a `Date`.
    public func wait(_ name: String, now: @autoclosure () -> Date) -> Duration? {
        guard let text = self[name] else { return nil }
        if let number = Double(text), number.isFinite {
            // A number of this size is a date: as a wait it would be over thirty years.
            let seconds = number > 1e9 ? number - date(now: now()).timeIntervalSince1970 : number
            return Self.wait(seconds, limit: 1e9)
        }
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
        var total = 0.0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix(while: \.isLetter)
            guard let number = Double(digits), let factor = units[unit] else { return nil }
            total += number * factor
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return Self.wait(total, limit: 1e9)
    }

    private static func wait(_ seconds: Double, limit: Double) -> Duration {
        .seconds(Swift.min(Swift.max(seconds, 0), limit))
    }

    /// The server's time by its `Date`, or else `now`.
    func date(now: Date) -> Date { self["Date"].flatMap { HTTPDate($0, now: now)?.date } ?? now }
}
