// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import Localization
import Persistence
import TerminalKit

/// `parley settings list`: shows every setting with its value and the origin of that.
struct SettingsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["settings", "list"],
        summary: "Show all settings: value, origin, and what each takes",
        discussion: """
            A value comes from the option of a command, else from the environment, else from what parley settings set stored,
            else it is the default. The origin is environment, stored, default or, for one that no command takes, invalid.
            With parley sync, your other devices have what is stored, but for settings that belong to a machine, whose lines
            say why. The last one to be stored or removed holds, and one that a device does not accept is passed over there.
            """)

    /// The setting that a command is about.
    static let name = Positional<Setting>(
        "NAME", help: "The setting (parley settings list shows all)", choices: Setting.all)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let stored = try await app.readSettings { try $0.settings() } ?? [:]
        for setting in Setting.all {
            let (value, problem) = Self.value(of: setting, app.environment, stored)
            if let problem { console.warn(problem) }
            let text = value.text?.printable ?? console.text("none")
            try console.show(
                "\(console.styled(setting.name, .strong))  \(text)  (\(console.text(value.origin.word)))")
            try console.show(console.styled(Self.explanation(of: setting, by: console.translator), .muted))
            try console.emit(SettingOutput(setting, value, problem: problem?.english))
        }
        return .done
    }

    /// A setting's help, values and variables, and the reason that it stays on this machine, in the person's language.
    static func explanation(of setting: Setting, by translator: Translator) -> String {
        let variables = setting.variables.map { ", $\($0)" }.joined()
        let place = setting.staysHere.map { reason -> String in
            translator("; only on this machine, since \(translator(table: reason))" as Sentence)
        }
        return "  \(translator(table: setting.help)): \(translator(setting.type.words))\(variables)\(place ?? "")"
    }

    /// The value that holds, and the reason why another one cannot: one of them must not hide all the others.
    fileprivate static func value(
        of setting: Setting, _ environment: [String: String], _ stored: [String: String]
    ) -> (SettingValue, Sentence?) {
        do throws(DomainError) {
            return (try SettingValue(of: setting, environment: environment, stored: stored), nil)
        } catch { return (SettingValue(text: setting.standard, origin: .invalid), error.sentence) }
    }
}

/// `parley settings get`: writes the value of a setting.
struct SettingsGetCommand: Command {
    static let specification = CommandSpecification(
        path: ["settings", "get"], summary: "Write a setting's value; exit code 3 if it has none",
        positionals: [SettingsListCommand.name])

    private let setting: Setting

    init(_ invocation: Invocation) throws(UsageError) { setting = invocation[SettingsListCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let stored = try await app.readSettings { try $0.settings() } ?? [:]
        let value = try SettingValue(of: setting, environment: app.environment, stored: stored)
        if let text = value.text { try console.show(text.printable) }
        try console.emit(SettingOutput(setting, value))
        return value.text == nil ? .refused : .done
    }
}

/// `parley settings set`: stores a setting.
struct SettingsSetCommand: Command {
    private static let value = Positional<String>(
        "VALUE", help: "The value; -- before one that begins with a dash",
        completion: .following(
            Setting.all.reduce(into: [:]) { words, setting in words[setting.name] = setting.type.choices }))
    static let specification = CommandSpecification(
        path: ["settings", "set"],
        summary: "Store a setting, which holds until parley settings unset",
        discussion: "parley settings set voice rms; parley settings set budget 0.50",
        positionals: [SettingsListCommand.name, value])

    private let setting: Setting
    private let text: String

    init(_ invocation: Invocation) throws(UsageError) {
        setting = invocation[SettingsListCommand.name]
        do throws(DomainError) {
            text = try setting.checked(invocation[Self.value], from: "The setting \(setting.name)" as Sentence)
        } catch { throw invocation.error(error.sentence) }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (name, text) = (setting.name, text)
        let stored = try await app.writeSettings { settings in
            try settings.set(text, for: .setting(name))
            return try settings.settings()
        }
        let (value, problem) = SettingsListCommand.value(of: setting, app.environment, stored)
        if let problem { console.warn(problem) }
        if value.origin == .stored {
            console.progress("\(setting.name) is \(text.printable) from now on.")
        } else {
            console.warn("\(setting.name) is stored, but a variable of the environment has precedence over it here.")
        }
        try console.emit(SettingOutput(setting, value, problem: problem?.english))
        return .done
    }
}

/// `parley settings unset`: removes a stored setting.
struct SettingsUnsetCommand: Command {
    static let specification = CommandSpecification(
        path: ["settings", "unset"], summary: "Remove a stored setting, so that its default holds again",
        positionals: [SettingsListCommand.name])

    private let setting: Setting

    init(_ invocation: Invocation) throws(UsageError) { setting = invocation[SettingsListCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = setting.name
        if try await app.readSettings({ try $0.value(for: .setting(name)) }) != nil {
            try await app.writeSettings { try $0.set(nil, for: .setting(name)) }
            console.progress("\(name) is no longer stored.")
        } else {
            console.progress("\(name) was not stored.")
        }
        let (value, problem) = SettingsListCommand.value(of: setting, app.environment, [:])
        if let problem { console.warn(problem) }
        try console.emit(SettingOutput(setting, value, problem: problem?.english))
        return .done
    }
}

/// A setting in JSON.
private struct SettingOutput: Encodable {
    let name: String
    let value: String?
    let origin: String
    let type: String
    let takes: String
    let choices: [String]?
    let minimum, maximum: Int?
    let standard: String?
    let variables: [String]
    let travels: Bool
    let help: String
    let problem: String?

    init(_ setting: Setting, _ value: SettingValue, problem: String? = nil) {
        self.problem = problem
        (name, help, variables, standard) = (setting.name, setting.help, setting.variables, setting.standard)
        (self.value, origin) = (value.text, value.origin.rawValue)
        (type, takes, travels) = (setting.type.name, setting.type.words.english, setting.staysHere == nil)
        choices = setting.type.choices
        (minimum, maximum) = (setting.type.range?.lowerBound, setting.type.range?.upperBound)
    }

    private enum CodingKeys: String, CodingKey {
        case name, value, origin, type, takes, choices, minimum, maximum
        case standard = "default"
        case variables, travels, help, problem
    }
}
