// SPDX-License-Identifier: MIT

/// Shows texts in one language. A value without global state: a server has one for each language, and answers each request by the
/// one that it needs.
public struct Translator: Sendable {
    /// The language of the texts.
    public let language: Language
    /// The language's way to write numbers, dates and lists.
    public let format: LanguageFormat
    /// The errors of catalogues that could not be used; empty if all is well.
    public let problems: [LocalizationError]
    private let catalogues: [MessageCatalogue]
    private let pseudo: Pseudolanguage?

    /// The translator that shows the source texts.
    public static let english = Translator(.english)

    /// - Parameters:
    ///   - language: The language of the catalogues. The pseudo-languages need none.
    ///   - catalogues: The catalogues in the order in which they are asked.
    ///   - problems: The errors of those that are missing.
    public init(_ language: Language, catalogues: [MessageCatalogue] = [], problems: [LocalizationError] = []) {
        (self.language, self.catalogues, self.problems) = (language, catalogues, problems)
        format = LanguageFormat(language)
        pseudo = Pseudolanguage(language)
    }

    /// The text in the language, with its values filled in. A message without a translation is in English, and so is one whose
    /// translation has a placeholder that the text has no value for.
    public func callAsFunction(_ text: TranslatableText) -> String {
        for catalogue in catalogues {
            guard let found = translation(of: text, in: catalogue) else { continue }
            if let filled = PlaceholderTemplate.filled(found, value: { text.value($0).map(shown) }) { return filled }
        }
        let source = pseudo.map { $0.text(text.english) } ?? text.english
        return PlaceholderTemplate.filledAsFarAsPossible(source) { text.value($0).map(shown) }
    }

    /// The translation of a text without placeholders that stands in a table and not in a call; the text itself without one.
    public func callAsFunction(table text: String) -> String {
        if let found = catalogues.lazy.compactMap({ $0.translation(of: text) }).first {
            return TextDirection.withMarkedWords(found, in: language)
        }
        return pseudo.map { PlaceholderTemplate.filledAsFarAsPossible($0.text(text)) { _ in nil } } ?? text
    }

    private func translation(of text: TranslatableText, in catalogue: MessageCatalogue) -> String? {
        guard let count = text.count else { return catalogue.translation(of: text.text, context: text.context) }
        return catalogue.translation(of: text.text, context: text.context, count: count)
    }

    /// A value in the language. Only what comes from outside is isolated; what this package writes has the language's direction.
    private func shown(_ value: TextValue) -> String {
        switch value.kind {
        case .text(let text): TextDirection.isolated(text, in: language)
        case .number(let number): format.number(number)
        case .decimal(let number, let digits): format.decimal(number, fractionDigits: digits)
        case .percent(let share): format.percent(share)
        case .byteCount(let count): format.byteCount(count)
        case .duration(let duration): format.duration(duration)
        case .date(let year, let month, let day): format.date(year: year, month: month, day: day)
        case .list(let values): format.list(values.map(shown))
        case .message(let text): self(text)
        }
    }
}
