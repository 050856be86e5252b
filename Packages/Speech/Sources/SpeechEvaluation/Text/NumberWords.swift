// SPDX-License-Identifier: MIT

/// Numbers as read aloud in English.
enum NumberWords {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let scales: [(value: UInt64, name: String)] = [
        (1_000_000_000_000, "trillion"), (1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"),
    ]
    private static let ordinals = [
        "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
        "twelve": "twelfth",
    ]
    /// The most digits of a cardinal number; longer numbers are read digit by digit.
    static let mostDigits = 15

    /// "one hundred twenty one"; without "and".
    static func cardinal(_ number: UInt64) -> [String] {
        if number < 20 { return [small[Int(number)]] }
        if number < 100 {
            return [tens[Int(number / 10)]] + (number % 10 > 0 ? [small[Int(number % 10)]] : [])
        }
        if number < 1_000 {
            return [small[Int(number / 100)], "hundred"] + (number % 100 > 0 ? cardinal(number % 100) : [])
        }
        for scale in scales where number >= scale.value {
            let rest = number % scale.value
            return cardinal(number / scale.value) + [scale.name] + (rest > 0 ? cardinal(rest) : [])
        }
        return digits("\(number)")
    }

    /// "twenty first".
    static func ordinal(_ number: UInt64) -> [String] {
        var words = cardinal(number)
        guard let last = words.popLast() else { return [] }
        if let known = ordinals[last] { return words + [known] }
        return words + [last.hasSuffix("y") ? last.dropLast() + "ieth" : last + "th"]
    }

    /// Four digits without a separator from 1100 to 1999, and from 2010 to 2099, as a year: "nineteen eighty four".
    static func year(_ number: UInt64) -> [String]? {
        guard (1_100...1_999).contains(number) || (2_010...2_099).contains(number) else { return nil }
        let rest = number % 100
        let tail = rest == 0 ? ["hundred"] : rest < 10 ? ["oh", small[Int(rest)]] : cardinal(rest)
        return cardinal(number / 100) + tail
    }

    /// "one two three"; characters that are not digits are left out.
    static func digits(_ text: some StringProtocol) -> [String] {
        text.compactMap { character in
            character.isASCII ? character.wholeNumberValue.map { small[$0] } : nil
        }
    }
}
