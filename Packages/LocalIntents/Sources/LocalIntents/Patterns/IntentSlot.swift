// SPDX-License-Identifier: MIT

/// A part of a pattern that has a value.
enum IntentSlot: String, CaseIterable, Sendable {
    /// A number from 0 to 100, with or without "percent".
    case percent
    case number, duration, date, clock, place, quantity, unit
    /// A calculation; the plain one is no bare number with hyphens or slashes.
    case calculation, plainCalculation
    /// A timer's name; a reminder's text; a word to spell.
    case label, task, word

    /// The case's position.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The value of a slot.
enum SlotValue: Equatable, Sendable {
    case number(ExactNumber)
    case duration(Duration)
    /// A day, with the half of it if one was said.
    case date(DateReference, ClockTime.Half?)
    case clock(ClockTime)
    /// The meanings of a number of a unit.
    case quantities([Quantity], isShort: Bool)
    /// The meanings of a unit's name; short if it is an abbreviation of a few letters.
    case units([UnitOfMeasure], isShort: Bool)
    case calculation(Arithmetic)
    /// A place, a label or words, as they were written.
    case text(String)
}

/// Reads the values of slots.
struct SlotReader: Sendable {
    struct Found {
        let value: SlotValue
        let end: Int
    }

    let text: String
    let units: UnitTable

    /// The values that may begin at a token, preferred ones first.
    func read(_ slot: IntentSlot, _ tokens: [TextToken], at start: Int) -> [Found] {
        switch slot {
        case .number: one(NumberReader.signed(tokens, at: start).map { (.number($0.value), $0.end) })
        case .percent: one(percent(tokens, at: start))
        case .duration: one(DurationReader.read(tokens, at: start).map { (.duration($0.value), $0.end) })
        case .date: one(DateReader.read(tokens, at: start).map { (.date($0.value, $0.half), $0.end) })
        case .clock: one(ClockTimeReader.read(tokens, at: start).map { (.clock($0.value), $0.end) })
        case .quantity:
            one(
                units.readQuantity(tokens, at: start).map {
                    (.quantities($0.quantities, isShort: units.isShort(tokens[$0.end - 1])), $0.end)
                })
        case .unit:
            one(
                units.read(tokens, at: start).map {
                    (.units($0.units, isShort: units.isShort(tokens[$0.end - 1])), $0.end)
                })
        case .calculation, .plainCalculation:
            one(
                ArithmeticReader.read(tokens, at: start, isLoose: slot == .calculation)
                    .map { (.calculation($0.value), $0.end) })
        case .place: words(slot, tokens, at: start, upTo: 5, OpenSlotTable.noPlace)
        case .label: words(slot, tokens, at: start, upTo: 4, OpenSlotTable.noLabel)
        case .task: words(slot, tokens, at: start, upTo: 9, OpenSlotTable.noTask)
        case .word: words(slot, tokens, at: start, upTo: 3, OpenSlotTable.noWord)
        }
    }

    private func one(_ found: (SlotValue, Int)?) -> [Found] { found.map { [Found(value: $0.0, end: $0.1)] } ?? [] }

    private func percent(_ tokens: [TextToken], at start: Int) -> (SlotValue, Int)? {
        guard let number = NumberReader.unsigned(tokens, at: start), let value = number.value.integer,
            (0...100).contains(value)
        else { return nil }
        return (.number(number.value), tokens.has("percent", at: number.end) ? number.end + 1 : number.end)
    }

    /// Words as they were written, the fewest first, up to a pause, a sign or one of the excluded words.
    private func words(
        _ slot: IntentSlot, _ tokens: [TextToken], at start: Int, upTo limit: Int, _ excluded: Set<String>
    ) -> [Found] {
        var found: [Found] = []
        for end in start + 1...start + limit where end <= tokens.count {
            let token = tokens[end - 1]
            guard token.kind == .word || (token.kind == .number && end > start + 1), !excluded.contains(token.text)
            else {
                break
            }
            // "the" opens the names of few places.
            if token.text == "the" {
                guard slot == .task || OpenSlotTable.articled.contains(tokens.text(end)) else { break }
                continue
            }
            found.append(Found(value: .text(String(text[tokens.range(start, end)])), end: end))
        }
        return found
    }
}

/// Words that places, labels, tasks and words to spell do not have.
enum OpenSlotTable {
    private static let functionWords: Set<String> = [
        "what", "when", "where", "who", "why", "how", "which", "is", "are", "was", "were", "am", "be", "do", "does",
        "did", "will", "would", "can", "could", "should", "i", "you", "we", "they", "he", "she", "it", "me", "us",
        "them", "him", "her", "that", "this", "these", "those", "if", "because", "than", "then", "there", "here",
        "and", "or", "but", "not", "so", "with", "about", "from",
    ]
    static let noPlace = functionWords.union([
        "my", "your", "his", "our", "a", "an", "to", "for", "at", "on", "of", "in", "by", "morning", "afternoon",
        "evening", "night", "today", "tomorrow", "yesterday", "now", "time", "times", "clock", "minutes", "hours",
        "seconds", "days", "weeks", "general", "total", "seconds", "minute", "hour", "words", "english", "history",
        "movie", "book", "story", "case", "fact", "hand", "bed", "school", "work",
    ])
    static let noLabel = functionWords.subtracting(["and", "with"]).union([
        "timer", "timers", "alarm", "alarms", "in", "at", "on", "to", "of", "my", "all", "every", "any", "minute",
        "minutes", "hour", "hours", "second", "seconds", "called", "named", "tomorrow", "today", "tonight",
        "tomorrow's", "today's", "am", "pm",
        "new", "another", "a", "an", "morning", "set", "reminder", "time", "percent",
    ])
    static let noTask: Set<String> = [
        "timer", "timers", "alarm", "alarms", "what", "when", "why", "how", "every", "if",
    ]
    static let noWord = functionWords.subtracting([
        "because", "there", "their", "which", "were", "where", "would", "could", "should", "here", "then", "than",
        "does",
        "who", "why", "with", "from", "about",
    ]).union([
        "of", "in", "to", "for", "at", "on", "my", "your", "his", "a", "an", "correctly", "out", "word", "words",
        "name", "names", "check", "checker", "things", "something", "anything", "everything", "better", "properly",
        "backwards", "letters",
    ])
    /// The words after "the" with which a place's name begins.
    static let articled: Set<String> = [
        "netherlands", "philippines", "uk", "us", "usa", "uae", "united", "bahamas", "maldives", "azores", "gambia",
        "seychelles", "czech", "dominican", "hague", "vatican", "canary", "congo", "ukraine", "faroe", "cayman", "bay",
    ]
}
