// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Reads the `x-ratelimit-*` fields that many APIs send: what is left, and when it is full again.
enum RateLimitHeaders {
    private static let names = ["", "-requests", "-tokens"].map {
        (remaining: "x-ratelimit-remaining\($0)", reset: "x-ratelimit-reset\($0)")
    }

    /// How long nothing is left, or `nil` if something is, or if the fields say nothing.
    static func pause(in headers: HTTPHeaders, now: @autoclosure () -> Date) -> Duration? {
        for name in names {
            guard let remaining = headers[name.remaining], (Double(remaining) ?? 1) < 1,
                let reset = headers[name.reset], let delay = delay(reset, now: now())
            else { continue }
            return delay
        }
        return nil
    }

    /// A wait as seconds, as the second since 1970 at which it ends, or with units (`1m30.5s`, `250ms`).
    static func delay(_ text: String, now: Date) -> Duration? {
        if let number = Double(text), number.isFinite {
            // A number of this size is a moment: as a wait it would be over thirty years.
            let seconds = number > 1e9 ? number - now.timeIntervalSince1970 : number
            return .seconds(min(max(seconds, 0), 1e9))
        }
        let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400]
        var total = 0.0
        var rest = Substring(text)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            total += number * factor
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return .seconds(min(total, 1e9))
    }
}
