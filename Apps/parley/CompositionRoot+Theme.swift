// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Localization
import TerminalKit

extension CompositionRoot {
    /// The console with the language and the theme of the settings; unchanged for JSON.
    ///
    /// While the app lock seals the settings, the environment decides on the language, and the theme stays as it is.
    func personalConsole() async -> Console {
        var (stored, failure): ([String: String], DomainError?) = ([:], nil)
        do {
            stored = try await openSettings()
        } catch let error as DomainError {
            failure = error
        } catch {
            // The command itself meets the same failure, and reports it.
        }
        let translator = translator(stored)
        var console = console.translated(by: translator)
        for problem in translator.problems { console.warn("\(problem.message) Install parley again.") }
        guard !console.isJSON, console.traits.colorDepth != .none else { return console }
        do {
            if let failure { throw failure }
            let value = try SettingValue(of: .theme, environment: environment, stored: stored)
            console = console.themed(value.text.flatMap(Theme.Name.init) ?? .auto)
        } catch {
            console.warn("The theme cannot be read. \(Sentence(error))")
        }
        return console
    }
}
