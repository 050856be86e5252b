// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import TerminalKit

extension CompositionRoot {
    /// The console with the theme of the settings.
    ///
    /// Nothing is read where there are no colours, and while the app lock seals the settings, the theme stays as it is.
    func themedConsole() async -> Console {
        guard console.traits.colorDepth != .none, !console.isJSON else { return console }
        do {
            let value = try SettingValue(of: .theme, environment: environment, stored: await openSettings())
            return console.themed(value.text.flatMap(Theme.Name.init) ?? .auto)
        } catch let error as DomainError {
            console.warn("The theme cannot be read. \(error.message)")
        } catch {
            // The command itself meets the same failure, and reports it.
        }
        return console
    }
}
