// SPDX-License-Identifier: MIT

/// Reads clock times: "7:30 pm", "19:30", "half past six", "a quarter to nine", "seven oh five", "noon".
enum ClockTimeReader {
    static func read(_ tokens: [TextToken], at start: Int) -> (value: ClockTime, end: Int)? {
        switch tokens.text(start) {
        case "noon", "midday": return ClockTime(hour: 12, minute: 0).map { ($0, start + 1) }
        case "midnight": return ClockTime(hour: 0, minute: 0).map { ($0, start + 1) }
        default: break
        }
        guard let face = relative(tokens, at: start) ?? figures(tokens, at: start) ?? words(tokens, at: start) else {
            return nil
        }
        return inHalf(tokens, face.value, at: face.end)
    }

    /// Adds "pm", "in the evening", "at night" and the like.
    private static func inHalf(
        _ tokens: [TextToken], _ time: ClockTime, at end: Int
    ) -> (value: ClockTime, end: Int)? {
        let end = ["o'clock", "sharp", "exactly"].contains(tokens.text(end)) ? end + 1 : end
        switch tokens.text(end) {
        case "am": return time.isAmbiguous || time.hour < 12 ? (time.inHalf(.am), end + 1) : nil
        case "pm":
            if let early = ClockTime(hour: time.hour, minute: time.minute, isAmbiguous: true) {
                return (early.inHalf(.pm), end + 1)
            }
            return time.hour > 12 ? (time, end + 1) : nil
        case "a" where tokens.has("m", at: end + 1): return (time.inHalf(.am), end + 2)
        case "p" where tokens.has("m", at: end + 1): return (time.inHalf(.pm), end + 2)
        default: break
        }
        if tokens.has("in", "the", at: end) {
            switch tokens.text(end + 2) {
            case "morning": return (time.inHalf(.am), end + 3)
            case "afternoon", "evening": return (time.inHalf(.pm), end + 3)
            default: break
            }
        }
        if tokens.has("at", "night", at: end) {
            return (time.inHalf(.night), end + 2)
        }
        return (time, end)
    }

    /// "ten past three", "a quarter to nine", "half past six".
    private static func relative(_ tokens: [TextToken], at start: Int) -> (value: ClockTime, end: Int)? {
        var minutes = 0
        var place = start
        if tokens.has("half", at: place) || tokens.has("quarter", at: place) || tokens.has("a", "quarter", at: place) {
            if tokens.has("a", at: place) { place += 1 }
            minutes = tokens.has("half", at: place) ? 30 : 15
            place += 1
        } else if let number = NumberReader.unsigned(tokens, at: place), let value = number.value.integer,
            (1...59).contains(value)
        {
            minutes = value
            place = number.end
            if ["minute", "minutes"].contains(tokens.text(place)) { place += 1 }
        } else {
            return nil
        }
        let isPast = ["past", "after"].contains(tokens.text(place))
        guard isPast || ["to", "before", "till", "of"].contains(tokens.text(place)) else { return nil }
        place += 1
        if tokens.has("noon", at: place) || tokens.has("midnight", at: place) {
            let hour = tokens.has("noon", at: place) ? 12 : 0
            let total = (hour * 60 + (isPast ? minutes : -minutes) + 1440) % 1440
            return ClockTime(hour: total / 60, minute: total % 60).map { ($0, place + 1) }
        }
        guard let number = NumberReader.unsigned(tokens, at: place), let hour = number.value.integer,
            (1...12).contains(hour)
        else { return nil }
        if isPast { return ClockTime(hour: hour, minute: minutes, isAmbiguous: true).map { ($0, number.end) } }
        let before = hour == 1 ? 12 : hour - 1
        return ClockTime(hour: before, minute: 60 - minutes, isAmbiguous: true).map { ($0, number.end) }
    }

    /// "7", "7:30", "07:30", "7.30", "19:30".
    private static func figures(_ tokens: [TextToken], at start: Int) -> (value: ClockTime, end: Int)? {
        guard tokens.indices.contains(start), tokens[start].kind == .number else { return nil }
        let parts = tokens[start].text.split(separator: ".").map(String.init)
        guard parts.count <= 2, let hour = Int(parts[0]), parts[0].count <= 2 else { return nil }
        var minute = 0
        var end = start + 1
        if parts.count == 2 {
            guard parts[1].count == 2, let value = Int(parts[1]) else { return nil }
            minute = value
        } else if tokens.has(":", at: end) {
            guard tokens.text(end + 1).count == 2, let value = Int(tokens.text(end + 1)) else { return nil }
            minute = value
            end += 2
        } else if tokens.text(end).count == 2, let value = Int(tokens.text(end)), (1...12).contains(hour) {
            minute = value
            end += 1
        }
        let isAmbiguous = (1...12).contains(hour) && !parts[0].hasPrefix("0")
        return ClockTime(hour: hour, minute: minute, isAmbiguous: isAmbiguous).map { ($0, end) }
    }

    /// "seven", "seven thirty", "seven oh five", "nineteen thirty".
    private static func words(_ tokens: [TextToken], at start: Int) -> (value: ClockTime, end: Int)? {
        guard let number = NumberReader.belowHundred(tokens, at: start), number.value <= 23 else { return nil }
        let hour = number.value
        var end = number.end
        var minute = 0
        if ["oh", "o", "zero"].contains(tokens.text(end)), let unit = NumberReader.units[tokens.text(end + 1)],
            (1...9).contains(unit)
        {
            minute = unit
            end += 2
        } else if let next = NumberReader.belowHundred(tokens, at: end), (10...59).contains(next.value) {
            minute = next.value
            end = next.end
        } else if hour == 0 || hour > 12 {
            return nil
        }
        return ClockTime(hour: hour, minute: minute, isAmbiguous: (1...12).contains(hour)).map { ($0, end) }
    }
}
