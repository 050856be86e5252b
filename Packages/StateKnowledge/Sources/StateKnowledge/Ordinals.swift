// SPDX-License-Identifier: MIT

/// Numbers in their written and spoken forms, as far as dates and the order of states need them.
enum Ordinals {
    private static let units = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
        "fortieth": 40, "fiftieth": 50,
    ]
    private static let cardinals = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
        "eighteen": 18, "nineteen": 19,
    ]
    private static let tens = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    ]

    /// An ordinal number that starts at a word, and the count of its words: "28th", "twenty eighth", "first".
    static func ordinal(_ words: ArraySlice<String>) -> (value: Int, count: Int)? {
        guard let first = words.first else { return nil }
        if let value = units[first] { return (value, 1) }
        if let ten = tens[first], let next = words.dropFirst().first, let unit = units[next], unit < 10 {
            return (ten + unit, 2)
        }
        for suffix in ["st", "nd", "rd", "th"] where first.hasSuffix(suffix) {
            if let value = Int(first.dropLast(2)), first.utf8.count <= 4 { return (value, 1) }
        }
        return nil
    }

    /// A year that starts at a word, in digits or in words: "1959", "nineteen fifty nine", "eighteen oh three".
    static func year(_ words: ArraySlice<String>) -> (value: Int, count: Int)? {
        guard let first = words.first else { return nil }
        if first.utf8.count == 4, let value = Int(first), (1700...2099).contains(value) { return (value, 1) }
        guard let century = cardinals[first], (17...19).contains(century), let next = words.dropFirst().first else {
            return nil
        }
        let third = words.dropFirst(2).first
        if let ten = tens[next] {
            if let third, let unit = cardinals[third], unit < 10 { return (century * 100 + ten + unit, 3) }
            return (century * 100 + ten, 2)
        }
        if next == "oh" || next == "o", let third, let unit = cardinals[third], unit < 10 {
            return (century * 100 + unit, 3)
        }
        if let teen = cardinals[next], teen >= 10 { return (century * 100 + teen, 2) }
        return nil
    }

    /// The written ordinal: "28th".
    static func written(_ value: Int) -> String {
        let suffix =
            switch (value % 100, value % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(value)\(suffix)"
    }
}
