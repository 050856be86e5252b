// SPDX-License-Identifier: MIT

import Domain
import StructuredJSON

/// What a person has set for good: `settings.json` in the configuration folder, such as `{"keepPlaying": true}`.
struct Settings: Sendable {
    let file: SettingsFile

    init(path: String) {
        file = SettingsFile(path: path, remedy: "Correct it, or move it away.")
    }

    /// Other players play on while something is recorded.
    func keepsPlaying() throws -> Bool {
        guard let value = try file.load()["keepPlaying"] else { return false }
        guard let keeps = value.bool else {
            throw file.damaged("keepPlaying: true or false was expected")
        }
        return keeps
    }
}

extension CompositionRoot {
    /// What a person has set for good.
    var settings: Settings { Settings(path: paths.configuration + "/settings.json") }
}
