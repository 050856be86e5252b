// SPDX-License-Identifier: MIT

/// The number of plural forms of a language, and the form for each number (`Plural-Forms` of a catalogue).
struct PluralRule: Sendable, Equatable {
    let formCount: Int
    private let expression: PluralExpression

    /// The rule of a catalogue that names none (GNU gettext manual, "Additional functions for plural forms").
    static let english = PluralRule(formCount: 2, expression: .notOne)

    /// No language has more than six.
    private static let formLimit = 20
    /// The numbers for which a rule is tried: past 200 the rules of all languages repeat.
    private static let tried: ClosedRange<UInt> = 0...200

    private init(formCount: Int, expression: PluralExpression) {
        (self.formCount, self.expression) = (formCount, expression)
    }

    /// Reads the value of the field, such as `nplurals=2; plural=n != 1;`.
    init(header: String, path: String) throws(LocalizationError) {
        func error(_ detail: String) -> LocalizationError {
            LocalizationError(
                .pluralForms,
                "The plural forms of \(path) cannot be used: \(detail). Correct Plural-Forms in its .po file.")
        }
        var (number, text): (Substring?, Substring?)
        for part in header.utf8.split(separator: UInt8(ascii: ";")) {
            let field = Substring(part).drop { $0 == " " || $0 == "\t" }
            if field.hasPrefix("nplurals=") { number = field.dropFirst("nplurals=".utf8.count) }
            if field.hasPrefix("plural=") { text = field.dropFirst("plural=".utf8.count) }
        }
        guard let count = number.flatMap({ Int($0.drop { $0 == " " }) }), (1...Self.formLimit).contains(count), let text
        else {
            throw error("nplurals is not from 1 to \(Self.formLimit), or plural is missing")
        }
        do throws(PluralSyntaxError) {
            self.init(formCount: count, expression: try PluralExpression(text))
        } catch {
            throw LocalizationError(
                .pluralForms,
                "The plural forms of \(path) cannot be used: the expression \(error.reason). Correct Plural-Forms in its "
                    + ".po file.", cause: error)
        }
        for number in Self.tried {
            guard let form = expression.value(for: number) else { throw error("it divides by zero for n = \(number)") }
            guard form < UInt(count) else { throw error("it gives form \(form) of \(count) for n = \(number)") }
        }
    }

    /// The form for a number, from 0; nil if the expression divides by zero or gives a form that does not exist.
    func form(for number: UInt) -> Int? {
        expression.value(for: number).flatMap { $0 < UInt(formCount) ? Int($0) : nil }
    }
}
