// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Localization
import TerminalKit

extension CompositionRoot {
    /// Shows texts in the person's language.
    func translator() async -> Translator { Self.catalogues.translator(for: await language()) }

    /// The person's language: the setting's, else the environment's. While the app lock seals the settings, and where they cannot be
    /// read, the environment decides.
    func language() async -> Language {
        let stored = (try? await openSettings()) ?? [:]
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

extension HelpLanguage {
    /// Help in a translator's language.
    init(_ translator: Translator) {
        self.init(columns: { $0.columns }, translate: { translator(table: $0) })
    }
}
