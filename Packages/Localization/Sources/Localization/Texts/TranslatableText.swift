// SPDX-License-Identifier: MIT

/// A text of the program before it has a language: English with named placeholders, and the values for them.
///
/// It is a value that a layer can make without knowing the language; a ``Translator`` shows it.
public struct TranslatableText: Hashable, Sendable {
    /// The English text, which identifies the message; the singular of one that depends on a number.
    public let text: String
    /// The English plural; nil for a text that does not depend on a number.
    public let plural: String?
    /// The context, which tells equal English texts apart; nil for none.
    public let context: String?
    /// The number that chooses the plural form; nil for a text that does not depend on one.
    public let count: Int?
    /// The values in the order of the call.
    private let values: [NamedValue]

    private struct NamedValue: Hashable, Sendable {
        let name: String
        let value: TextValue
    }

    init(
        _ text: StaticString, plural: StaticString? = nil, context: StaticString? = nil, count: Int? = nil,
        _ values: KeyValuePairs<String, TextValue>
    ) {
        self.text = text.description
        self.plural = plural?.description
        self.context = context?.description
        self.count = count
        self.values = values.map { NamedValue(name: $0.key, value: $0.value) }
    }

    /// A text that stands in a table and not in a call.
    ///
    /// - Parameters:
    ///   - text: English with placeholders, without a context.
    ///   - plural: The English plural, and the number that chooses the form; nil for a text that does not depend on one.
    ///   - values: The values of the placeholders by name.
    public init(
        table text: String, plural: (text: String, count: Int)? = nil, _ values: [String: TextValue]
    ) {
        (self.text, self.plural, context, count) = (text, plural?.text, nil, plural?.count)
        self.values = values.sorted { $0.key < $1.key }.map { NamedValue(name: $0.key, value: $0.value) }
    }

    /// The English text for the number, with its placeholders.
    var english: String {
        guard let plural, let count else { return text }
        return count.magnitude == 1 ? text : plural
    }

    /// The value of a placeholder; the first one if a name is there twice. `count` is the number unless the call says otherwise.
    func value(_ name: Substring) -> TextValue? {
        values.first { $0.name == name }?.value ?? (name == "count" ? count.map { .number($0) } : nil)
    }
}

/// A text that is shown in a person's language: `tr("Synced with {device}", ["device": .text(name)])`.
///
/// The text is a literal of one line without `\u{…}`, so that `Scripts/l10n extract` finds it. `{{` and `}}` are braces.
public func tr(_ text: StaticString, _ values: KeyValuePairs<String, TextValue> = [:]) -> TranslatableText {
    TranslatableText(text, values)
}

/// A text with a context for translators, where one English word has several translations: `trc("verb", "Open")`.
public func trc(
    _ context: StaticString, _ text: StaticString, _ values: KeyValuePairs<String, TextValue> = [:]
) -> TranslatableText {
    TranslatableText(text, context: context, values)
}

/// A text that depends on a number, which is also the value of `{count}`:
/// `trn("{count} message", "{count} messages", count: messages.count)`.
public func trn(
    _ one: StaticString, _ other: StaticString, count: Int, _ values: KeyValuePairs<String, TextValue> = [:]
) -> TranslatableText {
    TranslatableText(one, plural: other, count: count, values)
}

/// A text with a context that depends on a number.
public func trcn(
    _ context: StaticString, _ one: StaticString, _ other: StaticString, count: Int,
    _ values: KeyValuePairs<String, TextValue> = [:]
) -> TranslatableText {
    TranslatableText(one, plural: other, context: context, count: count, values)
}
