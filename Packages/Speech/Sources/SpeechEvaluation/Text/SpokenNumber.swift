// SPDX-License-Identifier: MIT

/// The number at the beginning of some characters, as read aloud in English: "21", "1,000", "3.5", "2nd", "$5.20",
/// "7:30".
struct SpokenNumber {
    let words: [String]
    /// The number of its characters.
    let length: Int

    private static let currencies: [Character: (one: String, many: String, part: String)] = [
        "$": ("dollar", "dollars", "cents"), "£": ("pound", "pounds", "pence"), "€": ("euro", "euros", "cents"),
    ]

    /// Nil if the characters do not begin with a number.
    init?(_ text: ArraySlice<Character>) {
        var cursor = Cursor(rest: text)
        let currency = text.first.flatMap { Self.currencies[$0] }
        if currency != nil { cursor.rest = cursor.rest.dropFirst() }
        let (whole, hasSeparators) = cursor.grouped()
        guard !whole.isEmpty else { return nil }
        let number = whole.count <= NumberWords.mostDigits ? UInt64(whole) : nil
        let cardinal = number.map { NumberWords.cardinal($0) } ?? NumberWords.digits(whole)
        if let currency {
            let name = number == 1 ? currency.one : currency.many
            let part = cursor.digits(after: ".")
            let cents = part?.count == 2 ? part.flatMap { UInt64($0) } : nil
            if let part, cents == nil {
                words = cardinal + ["point"] + NumberWords.digits(part) + [currency.many]
            } else {
                words =
                    cardinal + [name] + (cents.map { $0 > 0 ? NumberWords.cardinal($0) + [currency.part] : [] } ?? [])
            }
        } else if let part = cursor.digits(after: ".") {
            words = cardinal + ["point"] + NumberWords.digits(part)
        } else if let number, number < 24, let minutes = cursor.digits(after: ":", exactly: 2).flatMap({ UInt64($0) }) {
            let tail = minutes == 0 ? ["o'clock"] : minutes < 10 ? ["oh"] + NumberWords.cardinal(minutes) : nil
            words = cardinal + (tail ?? NumberWords.cardinal(minutes))
        } else if let number, cursor.ordinalEnding() {
            words = NumberWords.ordinal(number)
        } else if whole.count == 4, !hasSeparators, let year = number.flatMap({ NumberWords.year($0) }) {
            words = year
        } else {
            // Digits with a leading zero are not a quantity.
            words = whole.count > 1 && whole.hasPrefix("0") ? NumberWords.digits(whole) : cardinal
        }
        length = text.count - cursor.rest.count
    }

    private struct Cursor {
        var rest: ArraySlice<Character>

        private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

        private mutating func digits() -> String {
            let digits = rest.prefix(while: Self.isDigit)
            rest = rest.dropFirst(digits.count)
            return String(digits)
        }

        /// Digits, with commas before groups of three.
        mutating func grouped() -> (digits: String, hasSeparators: Bool) {
            var all = digits()
            guard (1...3).contains(all.count) else { return (all, false) }
            var hasSeparators = false
            while rest.first == ",", rest.dropFirst().prefix(while: Self.isDigit).count == 3 {
                rest = rest.dropFirst()
                all += digits()
                hasSeparators = true
            }
            return (all, hasSeparators)
        }

        /// The digits behind a mark, consumed if there are any.
        mutating func digits(after mark: Character, exactly count: Int? = nil) -> String? {
            guard rest.first == mark else { return nil }
            let found = rest.dropFirst().prefix(while: Self.isDigit)
            guard !found.isEmpty, count == nil || found.count == count else { return nil }
            rest = rest.dropFirst(1 + found.count)
            return String(found)
        }

        /// Consumes "st", "nd", "rd" or "th" if no letter follows.
        mutating func ordinalEnding() -> Bool {
            let isEnding = ["st", "nd", "rd", "th"].contains(String(rest.prefix(2)))
            guard isEnding, !(rest.dropFirst(2).first?.isLetter ?? false) else { return false }
            rest = rest.dropFirst(2)
            return true
        }
    }
}
