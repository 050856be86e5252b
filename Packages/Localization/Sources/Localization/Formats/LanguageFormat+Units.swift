// SPDX-License-Identifier: MIT

extension LanguageFormat {
    /// A day of the Gregorian calendar with the month's name: "November 28, 2026".
    ///
    /// - Returns: The day in the form of ISO 8601 if it cannot exist.
    public func date(year: Int, month: Int, day: Int) -> String {
        date(year, month, day, facts.longDate, monthName: (1...12).contains(month) ? facts.months[month - 1] : nil)
    }

    /// A day of the Gregorian calendar in numbers: "11/28/2026".
    ///
    /// - Returns: The day in the form of ISO 8601 if it cannot exist.
    public func numericDate(year: Int, month: Int, day: Int) -> String {
        date(year, month, day, facts.numericDate, monthName: localized(padded(month, to: 1)))
    }

    private func date(_ year: Int, _ month: Int, _ day: Int, _ pattern: String, monthName: String?) -> String {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), let monthName else {
            return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
        }
        return pattern.replacing("{y}", with: localized("\(year)")).replacing("{m}", with: monthName)
            .replacing("{d}", with: localized("\(day)"))
    }

    /// A time of day: "1:05 PM", "13:05". Hours and minutes out of range are shown as they are.
    public func time(hour: Int, minute: Int) -> String {
        guard (0...23).contains(hour), (0...59).contains(minute) else {
            return "\(padded(hour, to: 2)):\(padded(minute, to: 2))"
        }
        let isTwelve = !facts.dayHalves.isEmpty
        let shown = isTwelve ? (hour + 11) % 12 + 1 : hour
        return facts.time.replacing("{hh}", with: localized(padded(shown, to: 2)))
            .replacing("{h}", with: localized(padded(shown, to: 1))).replacing(
                "{mm}", with: localized(padded(minute, to: 2))
            )
            .replacing("{a}", with: isTwelve ? facts.dayHalves[hour / 12] : "")
    }

    /// A duration in words: "2 hours, 5 minutes". A negative one is shown without its sign.
    ///
    /// - Parameters:
    ///   - duration: The duration, which is rounded to seconds.
    ///   - maximumUnits: The most of days, hours, minutes and seconds that are shown, from 1; the largest one and those that follow
    ///     it. The last one is rounded half up.
    public func duration(_ duration: Duration, maximumUnits: Int = 2) -> String {
        // A duration has more bits than its components have.
        let (whole, rest) = max(.seconds(Int64.min), min(duration, .seconds(Int64.max))).components
        let seconds = whole.magnitude + (rest.magnitude >= 500_000_000_000_000_000 ? 1 : 0)
        let sizes: [UInt64] = [86_400, 3600, 60, 1]
        let shown = min(max(maximumUnits, 1), sizes.count)
        let first = sizes.firstIndex { seconds >= $0 } ?? sizes.count - 1
        let least = sizes[min(first + shown - 1, sizes.count - 1)]
        // Rounding may reach the next larger unit: 59 min 59 s is 1 hour.
        var left = (seconds / least + (seconds % least * 2 >= least ? 1 : 0)) * least
        var parts: [String] = []
        for (unit, size) in sizes.enumerated() where size >= least {
            let count = left / size
            left %= size
            if count > 0 { parts.append(amount(count, facts.durations[unit])) }
        }
        return parts.isEmpty ? amount(0, facts.durations[sizes.count - 1]) : joined(parts, facts.durationList)
    }

    private func amount(_ count: UInt64, _ patterns: LanguageFacts.Patterns) -> String {
        patterns[facts.category(UInt(count))].filled(with: number(Int(clamping: count)))
    }

    /// A number of bytes, in kB, MB, GB and TB of powers of 1,000, with one digit behind the point below 10.
    public func byteCount(_ bytes: Int) -> String {
        let sign = bytes < 0 ? facts.minus : ""
        guard bytes.magnitude >= 1000 else { return sign + amount(UInt64(bytes.magnitude), facts.bytes) }
        var (unit, size) = (0, UInt(1000))
        // 999.5 of a unit are one of the next.
        while unit < facts.sizes.count - 1,
            bytes.magnitude / size * 2 + (bytes.magnitude % size * 2 >= size ? 1 : 0) >= 1999
        {
            (unit, size) = (unit + 1, size * 1000)
        }
        let (whole, rest) = bytes.magnitude.quotientAndRemainder(dividingBy: size)
        let tenths = whole * 10 + (rest / (size / 100) + 5) / 10
        let shown =
            tenths < 100 && tenths % 10 != 0
            ? decimal(Double(tenths) / 10, fractionDigits: 1)
            : number(Int(clamping: whole + (rest >= size / 2 ? 1 : 0)))
        return sign + facts.sizes[unit].filled(with: shown)
    }

    private func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
