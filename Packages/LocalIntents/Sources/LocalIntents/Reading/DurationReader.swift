// SPDX-License-Identifier: MIT

/// Reads durations: "5 minutes", "an hour and a half", "2h 30m", "half an hour", "ninety seconds".
enum DurationReader {
    /// The longest duration in seconds: 366 days.
    static let longest = 366 * 86_400

    private static let seconds: [String: Int] = [
        "second": 1, "seconds": 1, "sec": 1, "secs": 1, "s": 1, "minute": 60, "minutes": 60, "min": 60, "mins": 60,
        "m": 60, "hour": 3600, "hours": 3600, "hr": 3600, "h": 3600, "day": 86_400, "days": 86_400, "week": 604_800,
        "weeks": 604_800,
    ]

    /// A duration above zero, and the index after its last token.
    static func read(_ tokens: [TextToken], at start: Int) -> (value: Duration, end: Int)? {
        var total = ExactNumber(0)
        var place = start
        var smallest = Int.max
        while let count = NumberReader.count(tokens, at: place), let unit = seconds[tokens.text(count.end)],
            unit < smallest
        {
            total = total + count.value * ExactNumber(unit)
            smallest = unit
            place = count.end + 1
            // "an hour and a half": a part of the unit just read, unless a unit of its own follows ("and a half minutes").
            if tokens.has("and", at: place), let part = NumberReader.signed(tokens, at: place + 1),
                part.value < ExactNumber(1), seconds[tokens.text(part.end)] == nil, !tokens.has("of", at: part.end),
                !["a", "an"].contains(tokens.text(part.end))
            {
                total = total + part.value * ExactNumber(unit)
                place = part.end
                break
            }
            if tokens.has("and", at: place) {
                guard let next = NumberReader.count(tokens, at: place + 1), let unit = seconds[tokens.text(next.end)],
                    unit < smallest
                else { break }
                place += 1
            }
        }
        let value = total.doubleValue
        guard place > start, value > 0, value <= Double(longest) else { return nil }
        if let whole = total.integer { return (.seconds(whole), place) }
        return (.milliseconds(Int((value * 1000).rounded())), place)
    }
}
