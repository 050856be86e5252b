// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Diagnostics
import Domain
import Persistence
import Security

/// A setting with its value and the origin of that.
struct SettingValue: Sendable, Equatable {
    /// The places of values, the first with precedence; the command line is before all of them.
    enum Origin: String, Sendable {
        case environment
        case stored
        case standard = "default"
        /// The text is not of the setting's type; commands that need it refuse.
        case invalid

        /// The origin in a word.
        var word: Sentence {
            switch self {
            case .environment: "environment"
            case .stored: "stored"
            case .standard: "default"
            case .invalid: "invalid"
            }
        }
    }

    /// The text; nil for a setting without a value and a default.
    let text: String?
    let origin: Origin

    init(text: String?, origin: Origin) { (self.text, self.origin) = (text, origin) }

    /// Finds the value of a setting.
    ///
    /// - Parameter stored: The texts of the stored settings by name.
    /// - Throws: `DomainError.invalidInput` for a text that is not of the setting's type.
    init(of setting: Setting, environment: [String: String], stored: [String: String]) throws(DomainError) {
        for variable in setting.variables {
            guard let text = environment[variable], !text.isEmpty else { continue }
            (self.text, origin) = (
                try setting.checked(text, from: "The variable \(variable)" as Sentence), .environment
            )
            return
        }
        guard let text = stored[setting.name] else {
            (self.text, origin) = (setting.standard, .standard)
            return
        }
        (self.text, origin) = (
            try setting.checked(text, from: "The stored setting \(setting.name)" as Sentence), .stored
        )
    }
}

extension KeyValueTransaction {
    /// The texts of all stored settings by name.
    func settings() throws -> [String: String] {
        try names(in: KeyValueKey<String>.settings).reduce(into: [:]) { $0[$1] = try value(for: .setting($1)) }
    }
}

extension CompositionRoot {
    /// The settings, assistants and system prompts, after the passphrase of the app lock.
    ///
    /// - Throws: `SecurityError` for a passphrase that is missing or wrong; `DomainError` for a home that cannot be read.
    func settingsFile() async throws -> KeyValueFile {
        do {
            return KeyValueFile(
                path: paths.settings, seal: try await dataSeal(), logger: logger.with(category: "settings"))
        } catch let error as SecurityError
            where ![.locked, .wrongPassphrase, .tooManyFailures].contains(error.code)
        {
            throw DomainError(translating: error)
        }
    }

    /// Reads the settings file; nil if nothing was ever stored, and then nobody is asked for a passphrase.
    func readSettings<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<Connection>) throws -> Value
    ) async throws -> Value? {
        guard !AppPaths.isMissing(paths.settings) else { return nil }
        return try await settingsFile().read(body)
    }

    /// Changes the settings file.
    func writeSettings<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<WritableConnection>) throws -> Value
    ) async throws -> Value {
        try paths.makeDataFolder()
        return try await settingsFile().write(body)
    }

    /// True while the settings cannot be read without the passphrase of the app lock.
    func settingsAreLocked() async throws -> Bool {
        guard !AppPaths.isMissing(paths.settings) else { return false }
        return try await sealedData.isLocked()
    }

    /// The stored settings; none while the app lock seals them.
    func openSettings() async throws -> [String: String] {
        try await settingsAreLocked() ? [:] : try await readSettings { try $0.settings() } ?? [:]
    }

    /// The command line with the settings in place of the options that were not given.
    ///
    /// Only a conversation with a model asks for the passphrase of the app lock; another command goes on with the
    /// defaults and a warning, as it does when the settings cannot be read.
    func withSettings(_ invocation: Invocation) async throws -> Invocation {
        let declared = Set(invocation.command.options.map(\.name))
        let settings = Setting.all.filter { setting in setting.option.map(declared.contains) ?? false }
        guard settings.contains(where: { $0.option.flatMap(invocation.text) == nil }) else { return invocation }
        var stored: [String: String] = [:]
        do {
            let isLocked = invocation.hasModelVoice ? false : try await settingsAreLocked()
            if isLocked {
                console.warn("The app lock seals the settings, so the defaults hold. parley settings list opens them.")
            } else {
                stored = try await readSettings { try $0.settings() } ?? [:]
            }
        } catch let error as DomainError {
            console.warn("The settings cannot be read, so the defaults hold. \(Sentence(error))")
        }
        var filled = invocation
        for setting in settings where setting.isMeant(filled) {
            let value = try SettingValue(of: setting, environment: environment, stored: stored)
            guard value.origin != .standard, let text = value.text, let option = setting.option else { continue }
            filled = try filled.withDefault(text, for: option)
        }
        return filled
    }
}
