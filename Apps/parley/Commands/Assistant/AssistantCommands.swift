// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Echo
import Persistence
import TerminalKit

/// `parley assistant add`: stores a model at a server under a name.
struct AssistantAddCommand: Command {
    private static let model = ValueOption<String>("model", short: "m", placeholder: "NAME", help: "The model for text")
    private static let baseURL = ValueOption<String>(
        "base-url", placeholder: "URL", help: "The server, which speaks like OpenAI's; by default OpenAI")
    private static let voiceModel = ValueOption<String>(
        "voice-model", placeholder: "NAME", help: "The model for talk --mode realtime")
    private static let embeddingModel = ValueOption<String>(
        "embedding-model", placeholder: "NAME", help: "The model for embed and search")
    private static let apiKey = ValueOption<String>(
        "api-key", placeholder: "SECRET", help: "The secret that is the server's key (parley secrets set SECRET)")
    private static let plainHTTP = Flag(
        "plain-http", help: "Allow http:// to another machine, where anybody can read along")
    static let specification = CommandSpecification(
        path: ["assistant", "add"],
        summary: "Store a model at a server, for parley assistant use",
        discussion: """
            parley assistant add home --base-url http://127.0.0.1:11434/v1 --model llama3.2
            It is not used before parley assistant use NAME. The key itself is not stored here, only the secret's name.
            """,
        positionals: [name],
        options: [baseURL, model, voiceModel, embeddingModel, apiKey, plainHTTP])

    /// The assistant that a command is about.
    static let name = Positional<String>("NAME", help: "What you call it: letters, digits, _ and -")

    private let name: String
    private let assistant: ModelProfile

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        guard name.utf8.count <= 64, name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil, name != ModelProfile.states else {
            throw invocation.error(
                "An assistant's name has letters, digits, _ and -, and is not states; not \"\(name.printable)\".")
        }
        let text = invocation[Self.baseURL] ?? EchoEndpoint.openAI.baseURL
        guard let address = ServerAddress(text) else { throw invocation.error(ServerAddress.invalid(text)) }
        guard address.isPrivate || invocation.has(Self.plainHTTP) else {
            throw invocation.error(address.readableByOthers)
        }
        guard let model = invocation[Self.model] else {
            throw invocation.error("Name its model: --model NAME. parley models --base-url URL lists a server's.")
        }
        assistant = ModelProfile(
            baseURL: address.text, model: model, voiceModel: invocation[Self.voiceModel],
            embeddingModel: invocation[Self.embeddingModel], apiKey: invocation[Self.apiKey],
            allowsPlainHTTP: invocation.has(Self.plainHTTP))
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let secret = assistant.apiKey { _ = try SecretStoreChoice.name(secret) }
        let (name, assistant) = (name, assistant)
        let used = try await app.writeSettings { settings in
            let list = try settings.assistants()
            guard list.assistants[name] == nil else {
                throw DomainError.invalidInput(
                    "There is an assistant \(name) already. Remove it first: parley assistant remove \(name).")
            }
            try settings.set(assistant, for: .assistant(name))
            return list.used
        }
        console.progress("The assistant \(name) is stored. parley assistant use \(name) passes questions on to it.")
        try console.emit(AssistantOutput(name, assistant, isUsed: used == name))
        return .done
    }
}

/// `parley assistant use`: chooses the model that questions are passed on to.
struct AssistantUseCommand: Command {
    private static let name = Positional<String>("NAME", help: "An assistant's name, or states for no model")
    static let specification = CommandSpecification(
        path: ["assistant", "use"],
        summary: "Choose what answers: the states alone, or a model, too",
        discussion: """
            With states, the default, nothing leaves this machine: what is not about US states is turned down. With NAME,
            what states and intents do not answer goes to that model, and chat, embed and search use its server.
            """,
        positionals: [name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[Self.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = name
        if name == ModelProfile.states {
            if try await app.assistants().used != name {
                try await app.writeSettings { try $0.set(nil, for: .usedAssistant) }
            }
        } else {
            _ = try await app.assistants().named(name)
            try await app.writeSettings { settings in
                _ = try settings.assistants().named(name)
                try settings.set(name, for: .usedAssistant)
            }
        }
        return try await AssistantShowCommand.show(in: app, console)
    }
}

/// `parley assistant list`: shows the assistants.
struct AssistantListCommand: Command {
    static let specification = CommandSpecification(
        path: ["assistant", "list"], summary: "List the assistants; nothing is asked of their servers")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let list = try await app.assistants()
        if list.assistants.isEmpty {
            console.progress("No assistant is stored. parley assistant add --help says how to add one.")
        }
        for (name, assistant) in list.assistants.sorted(by: { $0.key < $1.key }) {
            let isUsed = name == list.used
            try console.show(
                "\(console.styled(name, .strong))  \(assistant.words)" + (isUsed ? "  " + console.text("(in use)") : "")
            )
            try console.emit(AssistantOutput(name, assistant, isUsed: isUsed))
        }
        return .done
    }
}

/// `parley assistant remove`: removes an assistant.
struct AssistantRemoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["assistant", "remove"], summary: "Remove an assistant; its secret stays",
        positionals: [AssistantAddCommand.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[AssistantAddCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = name
        _ = try await app.assistants().named(name)
        let wasUsed = try await app.writeSettings { settings in
            let wasUsed = try settings.assistants().used == name
            try settings.set(nil, for: .assistant(name))
            if wasUsed { try settings.set(nil, for: .usedAssistant) }
            return wasUsed
        }
        let removed: Sentence = "The assistant \(name) is removed."
        console.progress(wasUsed ? "\(removed) Questions are answered by the states alone." : removed)
        try console.emit(["removed": name])
        return .done
    }
}

/// `parley assistant show`: says what answers what.
struct AssistantShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["assistant", "show"], summary: "Say what answers a question, in which order")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await Self.show(in: app, console)
    }

    static func show(in app: CompositionRoot, _ console: Console) async throws -> ExitCode {
        let list = try await app.assistants()
        let order = AssistantRouter.localFirst(withModel: list.current != nil).order
        for (number, part) in zip(1..., order) {
            let words: Sentence =
                switch part {
                case .states: "states, on this machine: facts about US states"
                case .intents: "intents, on this machine: times and dates here and elsewhere, sums, units, spelling"
                case .model: list.current.map { "\(list.used): \($0.words)" } ?? Sentence(verbatim: list.used)
                }
            try console.tell("\(number). \(words)")
        }
        if list.current == nil {
            try console.tell(
                "Anything else is turned down: no model is in use. parley assistant use NAME changes that.")
        }
        try console.emit(
            Output(
                order: order.map(\.rawValue),
                assistant: list.current.map { AssistantOutput(list.used, $0, isUsed: true) }))
        return .done
    }

    private struct Output: Encodable {
        let order: [String]
        let assistant: AssistantOutput?
    }
}

/// An assistant in JSON.
private struct AssistantOutput: Encodable {
    let name: String
    let baseURL: String
    let model: String
    let voiceModel: String?
    let embeddingModel: String?
    let apiKey: String?
    let isUsed: Bool

    init(_ name: String, _ assistant: ModelProfile, isUsed: Bool) {
        (self.name, baseURL, model) = (name, assistant.baseURL, assistant.model)
        (voiceModel, embeddingModel, apiKey) = (assistant.voiceModel, assistant.embeddingModel, assistant.apiKey)
        self.isUsed = isUsed
    }
}

extension ModelProfile {
    /// "the model llama3.2 at http://127.0.0.1:11434/v1".
    fileprivate var words: Sentence { "the model \(model.printable) at \(baseURL.printable)" }
}

extension AssistantList {
    /// The assistant of this name.
    ///
    /// - Throws: `DomainError.invalidInput` with the name that was probably meant.
    fileprivate func named(_ name: String) throws(DomainError) -> ModelProfile {
        if let assistant = assistants[name] { return assistant }
        throw .unknown("assistant", name, among: names, command: "parley assistant add")
    }
}
