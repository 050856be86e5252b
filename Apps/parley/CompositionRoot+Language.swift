// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import FoundationEssentials
import Localization
import TerminalKit

extension CompositionRoot {
    /// Shows texts in the person's language: the setting's, else the environment's. While the app lock seals the settings, and where
    /// they cannot be read, the environment decides.
    func translator() async -> Translator {
        let stored = (try? await openSettings()) ?? [:]
        let chosen = try? SettingValue(of: .language, environment: environment, stored: stored).text
        let finder = Self.catalogues
        return finder.translator(
            for: finder.language(
                setting: chosen == Setting.language.standard ? nil : chosen, environment: environment))
    }

    /// The catalogues beside the program's file, where `Scripts/run` puts them, in the `share` folder beside its own, or the
    /// system's.
    private static var catalogues: CatalogueFinder {
        let folder = (try? InstallCommand.program()).map { URL(filePath: $0).deletingLastPathComponent() }
        return CatalogueFinder(
            domain: "parley", buildFolder: folder?.appending(path: "locale").path,
            resourceFolder: folder?.deletingLastPathComponent().appending(path: "share/locale").path)
    }
}

extension HelpLanguage {
    /// Help in a translator's language.
    init(_ translator: Translator) {
        self.init(columns: { $0.columns }, translate: { translator(table: $0) })
    }
}
