// SPDX-License-Identifier: MIT

/// Numbers, dates, durations, sizes and lists in the way of English, German, Spanish, Arabic and Japanese, by the rules of Unicode
/// CLDR 46; other languages get the English way.
///
/// Digits follow CLDR's default: plain Arabic (`ar`) and the Maghreb have 0–9, regions such as `ar-EG` have ٠–٩. No value traps.
public struct LanguageFormat: Sendable {
    /// The language.
    public let language: Language
    let facts: LanguageFacts

    /// The format of a language.
    public init(_ language: Language) {
        self.language = language
        facts = LanguageFacts.of(language)
    }

    /// A whole number with groups of three digits.
    public func number(_ number: Int) -> String {
        (number < 0 ? facts.minus : "") + grouped(String(number.magnitude))
    }

    /// A number, rounded half to even.
    ///
    /// - Parameters:
    ///   - number: The number; infinity is "∞".
    ///   - fractionDigits: The digits behind the point, 0 to 9.
    public func decimal(_ number: Double, fractionDigits: Int) -> String {
        decimal(number, shift: 0, fractionDigits: fractionDigits)
    }

    /// A share of one in percent: 0.45 is 45 %.
    public func percent(_ share: Double, fractionDigits: Int = 0) -> String {
        facts.percent.filled(with: decimal(share, shift: 2, fractionDigits: fractionDigits))
    }

    /// Items in the order given: "a, b, and c".
    public func list(_ items: [String]) -> String {
        joined(items, facts.list)
    }

    func joined(_ items: [String], _ separators: (two: String, middle: String, last: String)) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        var separator = items.count == 2 ? separators.two : separators.last
        // Not in CLDR's file, but in ICU: Spanish says "e" before the sound i.
        if separator == " y ", last.startsWithSpanishI { separator = " e " }
        return items.dropLast().joined(separator: separators.middle) + separator + last
    }

    /// The number times ten to the power of `shift`. It rounds the shortest decimal that is the number, not the binary one, so
    /// that 2.675 has a five to round.
    private func decimal(_ number: Double, shift: Int, fractionDigits: Int) -> String {
        guard number.isFinite else { return number.isNaN ? "NaN" : (number < 0 ? facts.minus : "") + "∞" }
        let fractionDigits = min(max(fractionDigits, 0), 9)
        var (digits, point) = Self.digits(of: number.magnitude)
        point += shift
        Self.round(&digits, &point, keeping: point + fractionDigits)
        let whole = point > 0 ? String(decoding: digits.prefix(point), as: UTF8.self) : "0"
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, min(fractionDigits, -point)))
        let fraction = String(decoding: zeros + digits.dropFirst(max(0, point)), as: UTF8.self)
        let isNegative = number < 0 && digits.contains { $0 != UInt8(ascii: "0") }
        return (isNegative ? facts.minus : "") + grouped(whole)
            + (fractionDigits == 0 ? "" : facts.decimalPoint + localized(fraction.prefix(fractionDigits)))
    }

    /// The digits in ASCII, and the number of them in front of the point, which may be negative.
    private static func digits(of number: Double) -> (digits: [UInt8], point: Int) {
        let parts = number.description.utf8.split(separator: UInt8(ascii: "e"))
        let mantissa = parts[0].split(separator: UInt8(ascii: "."))
        let exponent = parts.count == 2 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        let digits = mantissa.joined()
        let significant = Array(digits.drop { $0 == UInt8(ascii: "0") })
        return (significant, (mantissa.first?.count ?? 0) + exponent - (digits.count - significant.count))
    }

    /// Rounds to a number of digits half to even, or adds zeros.
    private static func round(_ digits: inout [UInt8], _ point: inout Int, keeping count: Int) {
        let (zero, five, nine) = (UInt8(ascii: "0"), UInt8(ascii: "5"), UInt8(ascii: "9"))
        if count >= digits.count {
            digits += [UInt8](repeating: zero, count: count - digits.count)
            return
        }
        guard count >= 0 else {
            (digits, point) = ([], min(point, 0))
            return
        }
        let rest = digits[count...]
        let isOdd = count > 0 && digits[count - 1] % 2 == 1
        let isMore = rest.dropFirst().contains { $0 != zero }
        let roundsUp = rest[count] > five || rest[count] == five && (isMore || isOdd)
        digits.removeSubrange(count...)
        guard roundsUp else { return }
        var index = count - 1
        while index >= 0, digits[index] == nine {
            digits[index] = zero
            index -= 1
        }
        if index >= 0 {
            digits[index] += 1
        } else {
            digits.insert(UInt8(ascii: "1"), at: 0)
            point += 1
        }
    }

    /// Digits of ASCII in groups of three, in the language's digits.
    private func grouped(_ digits: String) -> String {
        guard digits.utf8.count >= 3 + facts.minimumGrouping else { return localized(digits) }
        let lead = (digits.utf8.count - 1) % 3 + 1
        var (groups, rest) = ([digits.prefix(lead)], digits.dropFirst(lead))
        while !rest.isEmpty {
            groups.append(rest.prefix(3))
            rest = rest.dropFirst(3)
        }
        return groups.map(localized).joined(separator: facts.grouping)
    }

    /// Digits of ASCII in the language's digits.
    func localized(_ digits: some StringProtocol) -> String {
        guard facts.zero != "0" else { return String(digits) }
        let scalars = digits.unicodeScalars.map { digit in
            Unicode.Scalar(facts.zero.value + digit.value - 48) ?? digit
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension String {
    /// The pattern with a value for `{0}`.
    func filled(with value: String) -> String { replacing("{0}", with: value) }

    /// "i" and "hi", but not the diphthongs of "hierba" and "hiato".
    fileprivate var startsWithSpanishI: Bool {
        let start = prefix(3).lowercased()
        if start.hasPrefix("i") || start.hasPrefix("í") || start.hasPrefix("hí") { return true }
        return start.hasPrefix("hi") && !start.hasPrefix("hia") && !start.hasPrefix("hie")
    }
}
