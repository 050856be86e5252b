// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import Localization
import TerminalKit

extension CompositionRoot {
    /// Shows texts in the person's language.
    func translator() async -> Translator { translator((try? await openSettings()) ?? [:]) }

    /// Shows texts in the language of the stored settings.
    func translator(_ stored: [String: String]) -> Translator { Self.catalogues.translator(for: language(stored)) }

    /// The person's language: the setting's, else the environment's. While the app lock seals the settings, and where they cannot be
    /// read, the environment decides.
    func language() async -> Language { language((try? await openSettings()) ?? [:]) }

    private func language(_ stored: [String: String]) -> Language {
        let chosen = try? SettingValue(of: .language, environment: environment, stored: stored).text
        return Self.catalogues.language(
            setting: chosen == Setting.language.standard ? nil : chosen, environment: environment)
    }

    private static var catalogues: CatalogueFinder { CatalogueFinder(ofProgram: "parley") }
}

extension TranslatableText {
    /// A text about a command line. What a person typed into it cannot drive the terminal.
    init(_ text: UsageText) {
        self.init(
            table: text.pattern,
            text.values.mapValues { value in
                switch value {
                case .text(let text): .text(text.printable)
                case .translated(let text): .message(TranslatableText(text))
                }
            })
    }
}

extension TranslatableText {
    /// A sentence with its values, none of which can drive the terminal.
    init(_ sentence: Sentence, in language: Language) {
        let values = sentence.values.enumerated().map { index, value in
            (Sentence.placeholder(index), TextValue(value, in: language))
        }
        self.init(
            table: sentence.pattern, plural: sentence.plural.map { ($0.pattern, $0.count) },
            Dictionary(values) { first, _ in first })
    }
}

extension TextValue {
    fileprivate init(_ value: Sentence.Value, in language: Language) {
        switch value {
        case .text(let text): self = .text(text.printable)
        case .sentence(let sentence):
            self =
                sentence.plainText(in: language).map { .text($0.printable) }
                ?? .message(TranslatableText(sentence, in: language))
        }
    }
}

extension Sentence {
    /// The text without a translation: one that has none, and in English that of another package.
    fileprivate func plainText(in language: Language) -> String? {
        verbatim ?? (language == .english ? original : nil)
    }
}

extension UsageText {
    /// A sentence about a command line.
    init(_ sentence: Sentence) {
        let values = sentence.values.enumerated().map { index, value -> (String, Value) in
            switch value {
            case .text(let text): (Sentence.placeholder(index), .text(text))
            case .sentence(let sentence):
                (
                    Sentence.placeholder(index),
                    sentence.original.map { .text($0) } ?? .translated(UsageText(sentence))
                )
            }
        }
        self.init(pattern: sentence.pattern, values: Dictionary(values) { first, _ in first })
    }
}

extension UsageError {
    /// An error about a command's arguments, or about the whole command line.
    init(_ sentence: Sentence, command: CommandSpecification?) {
        self.init(text: UsageText(sentence), command: command)
    }
}

extension Invocation {
    /// An error about these arguments.
    func error(_ sentence: Sentence) -> UsageError { UsageError(sentence, command: command) }
}

extension Translator {
    /// A sentence in the language; its values cannot drive the terminal.
    func callAsFunction(_ sentence: Sentence) -> String {
        sentence.plainText(in: language)?.printable ?? self(TranslatableText(sentence, in: language))
    }
}

extension HelpLanguage {
    /// Help in a translator's language.
    init(_ translator: Translator) {
        self.init(columns: { $0.columns }, translate: { translator(table: $0) })
    }
}
