// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import DataAssistant
import DataLayer
import Domain
import Echo
import Persistence
import TerminalKit

/// `parley models`: lists the models that a server offers.
struct ModelsCommand: Command {
    static let specification = CommandSpecification(
        path: ["models"],
        summary: "List the models that a server offers",
        discussion: """
            Without --base-url the server is the one that parley chat asks: the assistant's in use, or OpenAI's. The default
            model is marked; parley models use NAME changes it.
            """,
        options: ModelOptions.serverOptions)

    private let server: ModelOptions

    init(_ invocation: Invocation) throws(UsageError) { server = ModelOptions(serverOf: invocation, model: "") }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try await server.settings(for: .chat, in: app)
        let (stored, assistants) =
            try await app.readSettings { (try $0.settings(), try $0.assistants()) } ?? ([:], AssistantList())
        let standard = try server.standardModel(
            for: .chat, environment: app.environment, stored: stored, assistant: assistants.current)
        let models = try await app.offeredModels(settings)
        if models.isEmpty { console.progress("The server offers no model.") }
        for model in models {
            let isDefault = model.id == standard
            try console.show(
                console.styled(ForeignText.short(model.id, limit: 200), .strong)
                    + (isDefault ? "  " + console.text("(default)") : "")
                    + console.styled(model.owner.map { "  \(ForeignText.short($0, limit: 60))" } ?? "", .muted))
            try console.emit(Output(id: model.id, owner: model.owner, isDefault: isDefault))
        }
        return .done
    }

    private struct Output: Encodable {
        let id: String
        let owner: String?
        let isDefault: Bool
    }
}

/// `parley models use`: sets the default model.
struct ModelsUseCommand: Command {
    private static let name = Positional<String>("NAME", help: "The model (parley models lists them)")
    private static let noCheck = Flag("no-check", help: "Do not ask the server if it has the model")
    static let specification = CommandSpecification(
        path: ["models", "use"],
        summary: "Set the default model: of the assistant in use, or the setting model",
        discussion: "The server is asked first; a model that it does not offer is refused.",
        positionals: [name],
        options: [noCheck])

    private let name: String
    private let isChecked: Bool
    private let command: CommandSpecification

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        isChecked = !invocation.has(Self.noCheck)
        command = invocation.command
        guard SettingType.text.accepts(name) else { throw invocation.error("NAME is empty.") }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = name
        if isChecked {
            let settings = try await ModelOptions(command: command, model: name).settings(for: .chat, in: app)
            let models = try await app.offeredModels(settings).map(\.id)
            guard models.contains(name) else {
                let start: Sentence = "The server does not offer the model \(name.printable)."
                throw DomainError.invalidInput(
                    "\(start.suggesting(name, among: models)) parley models lists what it has.")
            }
        }
        let used: String? = try await app.writeSettings { settings in
            let list = try settings.assistants()
            guard var assistant = list.current else {
                try settings.set(name, for: .setting(Setting.model.name))
                return nil
            }
            assistant.model = name
            try settings.set(assistant, for: .assistant(list.used))
            return list.used
        }
        if let used {
            console.progress("\(name.printable) is the default model from now on of the assistant \(used).")
        } else {
            console.progress("\(name.printable) is the default model from now on. It is the setting model.")
        }
        try console.emit(Output(model: name, assistant: used))
        return .done
    }

    private struct Output: Encodable {
        let model: String
        let assistant: String?
    }
}

extension CompositionRoot {
    /// The models that a server offers.
    fileprivate func offeredModels(_ settings: ModelSettings) async throws -> [OfferedModel] {
        let echo = try echo(settings)
        return try await withCleanup {
            do { return try await echo.models() } catch {
                throw NothingAtAddress(error, at: echo.configuration.endpoint, path: "models") ?? error
            }
        } cleanup: {
            await echo.close()
        }
    }
}
