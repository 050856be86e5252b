// SPDX-License-Identifier: MIT

/// A value for a placeholder. It gets its form when a ``Translator`` shows it, in that translator's language.
public struct TextValue: Hashable, Sendable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    indirect enum Kind: Hashable, Sendable {
        case text(String)
        case number(Int)
        case decimal(Double, fractionDigits: Int)
        case percent(Double)
        case byteCount(Int)
        case duration(Duration)
        case date(year: Int, month: Int, day: Int)
        case list([TextValue])
        case message(TranslatableText)
    }

    let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// A text that is the same in each language, such as a name. It cannot change the direction of what stands around it.
    public static func text(_ text: String) -> TextValue { TextValue(.text(text)) }
    /// A whole number.
    public static func number(_ number: Int) -> TextValue { TextValue(.number(number)) }
    /// A number with a fixed count of digits behind the point, 0 to 9.
    public static func decimal(_ number: Double, fractionDigits: Int) -> TextValue {
        TextValue(.decimal(number, fractionDigits: fractionDigits))
    }
    /// A share of one as whole percent: 0.45 is 45 %.
    public static func percent(_ share: Double) -> TextValue { TextValue(.percent(share)) }
    /// A number of bytes, as kB, MB, GB or TB of powers of 1,000.
    public static func byteCount(_ bytes: Int) -> TextValue { TextValue(.byteCount(bytes)) }
    /// A duration in words, to the second.
    public static func duration(_ duration: Duration) -> TextValue { TextValue(.duration(duration)) }
    /// A day of the Gregorian calendar. Months and days count from 1.
    public static func date(year: Int, month: Int, day: Int) -> TextValue {
        TextValue(.date(year: year, month: month, day: day))
    }
    /// Values as a list: "a, b, and c".
    public static func list(_ values: [TextValue]) -> TextValue { TextValue(.list(values)) }
    /// A text that is translated itself.
    public static func message(_ text: TranslatableText) -> TextValue { TextValue(.message(text)) }

    /// A text that is the same in each language.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A whole number.
    public init(integerLiteral number: Int) { self = .number(number) }
}
