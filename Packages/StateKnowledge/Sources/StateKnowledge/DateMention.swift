// SPDX-License-Identifier: MIT

import Domain

/// A day or a year in a question, perhaps incomplete.
struct DateMention: Equatable {
    /// The words of the date.
    let range: Range<Int>
    let year: Int?
    let month: Int?
    let day: Int?

    /// True if a day is before, after or since this one, or else this one, as far as the parts were given.
    func matches(_ date: CalendarDate, _ relation: String = "") -> Bool {
        let parts = zip([year, month, day], [date.year, date.month, date.day]).compactMap { given, part in
            given.map { (given: $0, part: part) }
        }
        let (given, found) = (parts.map(\.given), parts.map(\.part))
        return switch relation {
        case "before": found.lexicographicallyPrecedes(given)
        case "after": given.lexicographicallyPrecedes(found)
        case "since": !found.lexicographicallyPrecedes(given)
        default: found == given
        }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The first date in the words of `range`: "29 December 1845", "Dec 29th, 1845", "1845-12-29", "12/29/1845",
    /// "1959".
    static func first(in words: [String], _ range: Range<Int>) -> DateMention? {
        for start in range {
            if let date = numeric(words, start, range.upperBound) ?? named(words, start, range.upperBound) {
                return date
            }
        }
        for start in range {
            if let year = Ordinals.year(words[start..<range.upperBound]) {
                return DateMention(range: start..<(start + year.count), year: year.value, month: nil, day: nil)
            }
        }
        return nil
    }

    private static func month(_ word: String) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        return months.firstIndex { $0 == word || ($0.hasPrefix(word) && word.utf8.count <= 4) }.map { $0 + 1 }
    }

    private static func day(_ words: [String], _ position: Int, _ end: Int) -> (value: Int, count: Int)? {
        guard position < end else { return nil }
        let found = Ordinals.ordinal(words[position..<end]) ?? Int(words[position]).map { (value: $0, count: 1) }
        return found.flatMap { (1...31).contains($0.value) ? $0 : nil }
    }

    /// A date around a month's name; "may" counts only beside a number.
    private static func named(_ words: [String], _ position: Int, _ end: Int) -> DateMention? {
        guard let month = month(words[position]) else { return nil }
        var lower = position
        var upper = position + 1
        var dayValue: Int?
        for back in stride(from: position - 1, through: max(0, position - 3), by: -1) {
            if let found = day(words, back, position), Ordinals.year(words[back..<position]) == nil,
                back + found.count == position || (back + found.count == position - 1 && words[position - 1] == "of")
            {
                dayValue = found.value
                lower = back
            }
        }
        if dayValue == nil {
            let after = upper < end && words[upper] == "the" ? upper + 1 : upper
            if let found = day(words, after, end), after < end {
                dayValue = found.value
                upper = after + found.count
            }
        }
        var year: Int?
        for skipped in 0...1 where year == nil && upper + skipped < end {
            if skipped == 1, !["of", "in"].contains(words[upper]) { break }
            if let found = Ordinals.year(words[(upper + skipped)..<end]) {
                year = found.value
                upper += skipped + found.count
            }
        }
        guard dayValue != nil || year != nil else { return nil }
        return DateMention(range: lower..<upper, year: year, month: month, day: dayValue)
    }

    /// "1845 12 29" and "12 29 1845", as hyphens and strokes have been taken out.
    private static func numeric(_ words: [String], _ position: Int, _ end: Int) -> DateMention? {
        guard position + 2 < end else { return nil }
        let numbers = words[position...(position + 2)].compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        let range = position..<(position + 3)
        if numbers[0] > 1700, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) {
            return DateMention(range: range, year: numbers[0], month: numbers[1], day: numbers[2])
        }
        guard numbers[2] > 1700, (1...12).contains(numbers[0]), (1...31).contains(numbers[1]) else { return nil }
        return DateMention(range: range, year: numbers[2], month: numbers[0], day: numbers[1])
    }
}
