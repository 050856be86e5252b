// SPDX-License-Identifier: MIT

/// Reads numbers in digits and in words: "1,000.5", "twenty-five", "two and a half", "half a dozen", "minus three".
enum NumberReader {
    /// A value and the index after its last token.
    typealias Result = (value: ExactNumber, end: Int)

    static let units: [String: Int] = [
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]
    static let tens: [String: Int] = [
        "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90,
    ]
    static let scales: [String: Int] = [
        "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000,
    ]
    private static let parts: [String: Int] = [
        "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5,
        "tenth": 10, "tenths": 10,
    ]

    /// A number with an optional sign.
    static func signed(_ tokens: [TextToken], at start: Int) -> Result? {
        guard ["-", "minus", "negative"].contains(tokens.text(start)) else { return unsigned(tokens, at: start) }
        return unsigned(tokens, at: start + 1).map { (-$0.value, $0.end) }
    }

    /// A number of things: also "a", "an", "a couple of", "half a", "1/2", "2 1/2".
    static func count(_ tokens: [TextToken], at start: Int) -> Result? {
        if tokens.has("half", at: start), ["a", "an"].contains(tokens.text(start + 1)),
            !tokens.has("dozen", at: start + 2)
        {
            return (ExactNumber(1, over: 2), start + 2)
        }
        if let number = signed(tokens, at: start) {
            if let part = written(tokens, at: start) { return part }
            if let part = written(tokens, at: number.end) { return (number.value + part.value, part.end) }
            // "half of an hour", "a quarter of an hour"
            if !number.value.isZero, number.value < ExactNumber(1), tokens.has("of", at: number.end) {
                let hasArticle = ["a", "an"].contains(tokens.text(number.end + 1))
                return hasArticle ? (number.value, number.end + 2) : number
            }
            return number
        }
        guard ["a", "an"].contains(tokens.text(start)) else { return nil }
        if tokens.has("couple", at: start + 1) {
            return (ExactNumber(2), tokens.has("of", at: start + 2) ? start + 3 : start + 2)
        }
        return (ExactNumber(1), start + 1)
    }

    /// "1/2"
    private static func written(_ tokens: [TextToken], at start: Int) -> Result? {
        guard tokens.has("/", at: start + 1), let top = Int(tokens.text(start)),
            let bottom = Int(tokens.text(start + 2)),
            bottom > 0
        else { return nil }
        return (ExactNumber(top, over: bottom), start + 3)
    }

    static func unsigned(_ tokens: [TextToken], at start: Int) -> Result? {
        if let fraction = fraction(tokens, at: start) { return fraction }
        guard var (value, end) = whole(tokens, at: start) else { return nil }
        if tokens.has("point", at: end), let decimals = decimals(tokens, at: end + 1) {
            value = value + decimals.value
            end = decimals.end
            while let scale = scales[tokens.text(end)] {
                value = value * ExactNumber(scale)
                end += 1
            }
        }
        if tokens.has("and", at: end), let part = fraction(tokens, at: end + 1), !tokens.has("of", at: part.end) {
            // "two and a half dozen" is rare, "an hour and a half" common: the unit may come between.
            return (value + part.value, part.end)
        }
        return (value, end)
    }

    /// "half", "a half", "a quarter", "three quarters", "half a dozen".
    private static func fraction(_ tokens: [TextToken], at start: Int) -> Result? {
        var place = start
        var count = 1
        if ["a", "an", "one"].contains(tokens.text(place)) {
            place += 1
        } else if let number = units[tokens.text(place)] ?? Int(tokens.text(place)), number > 1,
            tokens.text(place + 1).hasSuffix("s") || tokens.has("half", at: place + 1)
        {
            count = number
            place += 1
        } else if !["half", "third", "quarter"].contains(tokens.text(place)) {
            return nil
        }
        guard let part = parts[tokens.text(place)] else { return nil }
        let value = ExactNumber(count, over: part)
        if part == 2, tokens.has("a", "dozen", at: place + 1) { return (value * ExactNumber(12), place + 3) }
        return (value, place + 1)
    }

    /// "five hundred and twelve thousand", "5 million", "a hundred".
    private static func whole(_ tokens: [TextToken], at start: Int) -> Result? {
        var total = ExactNumber(0)
        var group: ExactNumber?
        var place = start
        var last = Int.max
        if ["a", "an"].contains(tokens.text(place)), scales[tokens.text(place + 1)] != nil {
            group = ExactNumber(1)
            place += 1
        }
        reading: while place < tokens.count {
            let word = tokens[place].text
            if tokens[place].kind == .number {
                guard group == nil, total.isZero, let value = ExactNumber(decimal: word) else { break reading }
                group = value
                last = 0
            } else if let scale = scales[word], let current = group {
                if scale >= 1000 {
                    total = total + current * ExactNumber(scale)
                    group = nil
                } else {
                    group = current * ExactNumber(scale)
                }
                last = scale
            } else if let value = tens[word] ?? units[word], fits(value, after: last, hasGroup: group != nil) {
                group = (group ?? ExactNumber(0)) + ExactNumber(value)
                last = value == 0 ? 1 : value
            } else if word == "and", last >= 100, last != Int.max,
                tens[tokens.text(place + 1)] != nil || units[tokens.text(place + 1)] != nil
            {
                // "two hundred and five"
            } else {
                break reading
            }
            place += 1
        }
        guard place > start, group != nil || last != Int.max else { return nil }
        return (total + (group ?? ExactNumber(0)), place)
    }

    /// "twenty" is followed by one to nine, "hundred" by anything smaller, "five" by no other unit.
    private static func fits(_ value: Int, after last: Int, hasGroup: Bool) -> Bool {
        if last >= 100 { return true }
        return hasGroup && last >= 20 && last < 100 && (1...9).contains(value)
    }

    /// One number below a hundred in words, so that "seven thirty" stays two.
    static func belowHundred(_ tokens: [TextToken], at start: Int) -> (value: Int, end: Int)? {
        if let unit = units[tokens.text(start)] { return (unit, start + 1) }
        guard let ten = tens[tokens.text(start)] else { return nil }
        if let unit = units[tokens.text(start + 1)], (1...9).contains(unit) { return (ten + unit, start + 2) }
        return (ten, start + 1)
    }

    /// Digits after "point", one word each or in figures.
    private static func decimals(_ tokens: [TextToken], at start: Int) -> Result? {
        var digits = ""
        var place = start
        while place < tokens.count, digits.count < 15 {
            let word = tokens[place].text
            if let digit = word == "oh" ? 0 : units[word], digit < 10 {
                digits += String(digit)
            } else if tokens[place].kind == .number, word.allSatisfy(\.isNumber) {
                digits += word
            } else {
                break
            }
            place += 1
        }
        return ExactNumber(decimal: "0." + digits).flatMap { digits.isEmpty ? nil : ($0, place) }
    }
}
