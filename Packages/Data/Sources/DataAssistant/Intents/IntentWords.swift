// SPDX-License-Identifier: MIT

import Domain
import LocalIntents

/// The answers to intents: sentences to show and to speak.
enum IntentWords {
    static func help(hasLoudspeaker: Bool, setsTimers: Bool) -> String {
        let sound = hasLoudspeaker ? "change the volume and the speed of my voice, " : ""
        let timers = setsTimers ? "set timers and alarms, " : ""
        return """
            I can tell the time and the date, here and elsewhere, count the days until a date, \(timers)calculate, convert \
            units, spell words, \(sound)repeat my last answer, and answer questions about the states of the USA.
            """
    }
    /// The answer to "stop"; what was being said has ended by then.
    static let stopped = "Stopped."
    static let noSuchDay = "The calendar has no such day."
    static let nothingSaid = "I have not said anything yet."

    // MARK: Sound

    static func volume(_ volume: LoudspeakerVolume) -> String {
        volume.isMuted ? "The sound is off." : "The volume is \(volume.percent) percent."
    }

    static func rate(_ percent: Int, before: Int) -> String {
        if percent == before { return "I cannot speak any \(percent <= 50 ? "slower" : "faster")." }
        return percent == 100 ? "I speak at my usual speed." : "I speak at \(percent) percent of my usual speed."
    }

    // MARK: Time

    /// "it is 3:05 PM", with the day if one is given.
    static func time(_ time: WallTime, day: CalendarDate?) -> String {
        day.map { "it is \(clock(time)) on \(weekday($0))" } ?? "it is \(clock(time))"
    }

    /// "3:05 PM".
    static func clock(_ time: WallTime) -> String {
        let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
        return "\(hour):\(time.minute < 10 ? "0" : "")\(time.minute) \(time.hour < 12 ? "AM" : "PM")"
    }

    static func time(_ time: WallTime) -> String { sentence(self.time(time, day: nil)) }

    static func sentence(_ words: String, _ place: String? = nil) -> String {
        let text = place.map { "\(words) \(name($0))" } ?? words
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }

    static func several(_ place: String, _ parts: [(place: String, words: String)]) -> String {
        guard parts.count <= 6 else {
            return "\(sentenceStart(name(place))) has \(parts.count) time zones. Ask for a city there."
        }
        let list = parts.enumerated().map { index, part in
            let words = index > 0 && part.words.hasPrefix("it is ") ? part.words.dropFirst(6) : part.words[...]
            return "\(words) in \(part.place)"
        }
        return "\(sentenceStart(name(place))) has more than one time zone: \(joined(list))."
    }

    static func unknownPlace(_ place: String) -> String {
        "I do not know the time zone of \(name(place)). Ask for a large city near it, or for a country."
    }

    // MARK: Dates

    /// "it is Friday, November 27, 2026".
    static func date(_ date: CalendarDate) -> String { "it is \(long(date))" }

    static func date(_ date: CalendarDate, meant day: DateReference, today: CalendarDate) -> String {
        let verb = date < today ? "was" : "is"
        switch day {
        case .days(0): return "Today is \(long(date))."
        case .days(1): return "Tomorrow is \(long(date))."
        case .days(-1): return "Yesterday was \(long(date))."
        case .days(let count) where count > 0: return "In \(days(count)) it is \(long(date))."
        case .days(let count): return "\(sentenceStart(days(-count))) ago it was \(long(date))."
        case .coming: return "The coming \(weekday(date)) is \(date.spoken)."
        case .next: return "\(weekday(date)) of next week is \(date.spoken)."
        case .last: return "Last \(weekday(date)) was \(date.spoken)."
        case .date: return "\(date.spoken) \(verb) \(date == today ? "today," : "a") \(weekday(date))."
        }
    }

    static func daysUntil(_ date: CalendarDate, from today: CalendarDate) -> String {
        let count = date.dayNumber - today.dayNumber
        if count == 0 { return "That is today, \(long(date))." }
        if count < 0 { return "\(long(date)), was \(days(-count)) ago." }
        return "It is \(days(count)) until \(long(date))."
    }

    private static func days(_ count: Int) -> String { count == 1 ? "one day" : "\(grouped(String(count))) days" }

    static func long(_ date: CalendarDate) -> String { "\(weekday(date)), \(date.spoken)" }

    private static func weekday(_ date: CalendarDate) -> String { sentenceStart("\(date.weekday)") }

    // MARK: Numbers

    static func result(of calculation: Arithmetic, _ result: ExactNumber) -> String {
        let (text, isRounded) = number(result)
        let unit = if case .percentage = calculation { " percent" } else { "" }
        return "That is \(isRounded ? "about " : "")\(text)\(unit)."
    }

    static func noResult(_ error: ArithmeticError) -> String {
        switch error {
        case .divisionByZero: "That has no result: a number cannot be divided by zero."
        case .rootOfNegative: "That has no result: a negative number has no real square root."
        case .outOfRange: tooLarge
        }
    }

    private static let tooLarge = "That number is too large for me."

    static func conversion(of quantity: Quantity, to unit: UnitOfMeasure) -> String {
        guard let converted = quantity.converted(to: unit) else {
            return """
                \(sentenceStart(quantity.unit.pluralName)) cannot be converted to \(unit.pluralName): one is a unit of \
                \(quantity.unit.dimension), the other of \(unit.dimension).
                """
        }
        guard quantity.amount.doubleValue.isFinite, converted.amount.doubleValue.isFinite else { return tooLarge }
        let isOne = quantity.amount.integer == 1
        let (text, isRounded) = number(converted.amount)
        let verb = isOne ? "is" : "are"
        let name = converted.amount.integer == 1 ? unit.name : unit.pluralName
        let from = "\(number(quantity.amount).text) \(isOne ? quantity.unit.name : quantity.unit.pluralName)"
        return "\(sentenceStart(from)) \(verb) \(isRounded ? "about " : "")\(text) \(name)."
    }

    /// Digits in groups, four decimal places, or four significant digits of a small number; "minus" can be spoken.
    static func number(_ value: ExactNumber) -> (text: String, isRounded: Bool) {
        let sign = value.doubleValue < 0 ? "minus " : ""
        if let integer = value.integer { return (sign + grouped(String(integer.magnitude)), false) }
        let size = abs(value.doubleValue)
        if size == 0 { return ("0", !value.isExact) }
        guard size < 1e15, size >= 1e-6 else {
            let parts = "\(ExactNumber(approximating: size).doubleValue)".split(separator: "e")
            // Up to 2 to the power of 53 a number is written without "e".
            let digits = rounded(parts.count > 1 ? Double(parts[0]) ?? size : size / 1e15, to: 4)
            return ("\(sign)\(digits.text) times 10 to the power of \(exponent(parts))", true)
        }
        var places = 4
        var limit = 0.1
        while size < limit, places < 10 { (places, limit) = (places + 1, limit / 10) }
        let (text, isRounded) = rounded(size, to: places)
        return (sign + text, isRounded || !value.isExact)
    }

    private static func exponent(_ parts: [Substring]) -> String {
        let text = parts.count > 1 ? parts[1].drop { $0 == "+" } : "15"
        return text.hasPrefix("-") ? "minus \(Int(text.dropFirst()) ?? 0)" : "\(Int(text) ?? 0)"
    }

    private static func rounded(_ size: Double, to places: Int) -> (text: String, isRounded: Bool) {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = size * scale
        guard scaled < 1e18 else { return (grouped(String(Int(size.rounded()))), true) }
        let digits = Int(scaled.rounded())
        let unit = Int(scale)
        var decimals = String(unit + digits % unit).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        let whole = grouped(String(digits / unit))
        // The nearest Double of an exact decimal number differs from it by less than this.
        let isRounded = abs(Double(digits) - scaled) > max(1, scaled) * 1e-14
        return (decimals.isEmpty ? whole : "\(whole).\(decimals)", isRounded)
    }

    /// "1,234,567".
    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    // MARK: Words

    static func spelling(of word: String) -> String {
        let letters = word.split(separator: " ").map { part in
            part.map { character in
                switch character {
                case "'", "’": "apostrophe"
                case "-": "hyphen"
                default: character.uppercased()
                }
            }.joined(separator: ", ")
        }
        return "\(sentenceStart(word)) is spelled \(letters.joined(separator: "; "))."
    }

    static func lastQuestion(_ question: String?) -> String {
        question.map { "You asked: \($0)" } ?? "You have not asked anything before."
    }

    /// "New York", "Tokyo", "UK" of "new york", "tokyo" and "uk".
    private static func name(_ place: String) -> String {
        let small: Set<Substring> = ["of", "the", "and", "de", "la"]
        let short: Set<String> = ["uk", "us", "usa", "uae", "nyc", "dc", "utc", "gmt"]
        let hasArticle = place.lowercased().hasPrefix("the ")
        let words = place.dropFirst(hasArticle ? 4 : 0).split(separator: " ").enumerated().map { index, word in
            if short.contains(word.lowercased()) { return word.uppercased() }
            return small.contains(word) && index > 0 ? String(word) : sentenceStart(String(word))
        }
        let article: Set<String> = ["UK", "US", "USA", "UAE", "United"]
        let needsArticle = hasArticle || words.first.map { article.contains($0) } == true
        return (needsArticle ? "the " : "") + words.joined(separator: " ")
    }

    static func joined(_ parts: [String], by word: String = "and") -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " \(word) " + last
    }

    private static func sentenceStart(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
