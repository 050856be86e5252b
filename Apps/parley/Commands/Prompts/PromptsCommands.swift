// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Persistence
import TerminalKit

/// `parley prompts add`: stores a system prompt.
struct PromptsAddCommand: Command {
    private static let text = Positional<[String]>(any: "TEXT", help: "The text; - or nothing reads standard input")
    static let specification = CommandSpecification(
        path: ["prompts", "add"],
        summary: "Store a system prompt: what a model is told before everything else",
        discussion: """
            parley prompts add brief Answer in one sentence.
            It is not used before parley prompts use NAME, or --prompt NAME of chat and talk --mode realtime.
            """,
        positionals: [name, text])

    /// The prompt that a command is about.
    static let name = Positional<String>("NAME", help: "What you call it: letters, digits, _ and -")

    private static let limit = 100_000

    private let name: String
    private let words: [String]

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        words = invocation[Self.text]
        guard name.utf8.count <= 64, name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil, name != SystemPromptList.none else {
            throw invocation.error(
                "A prompt's name has letters, digits, _ and -, and is not none; not \"\(name.printable)\".")
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard let text = try await PipedText(limit: Self.limit).read(words), text.contains(where: { !$0.isWhitespace }),
            text.utf8.count <= Self.limit
        else { throw DomainError.invalidInput("The text is empty or longer than 100 kB. Give it, or pipe it in.") }
        let name = name
        try await app.writeSettings { settings in
            guard try settings.value(for: .prompt(name)) == nil else {
                throw DomainError.invalidInput(
                    "There is a prompt \(name) already. Remove it first: parley prompts remove \(name).")
            }
            try settings.set(text, for: .prompt(name))
        }
        console.progress("The prompt \(name) is stored. parley prompts use \(name) gives it to every model.")
        try console.emit(PromptOutput(name: name, text: text, isUsed: false))
        return .done
    }
}

/// `parley prompts list`: shows the system prompts.
struct PromptsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["prompts", "list"], summary: "List the stored system prompts")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let list = try await app.readSettings { try $0.prompts() } ?? SystemPromptList()
        if list.prompts.isEmpty { console.progress("No prompt is stored. parley prompts add NAME TEXT adds one.") }
        for (name, text) in list.prompts.sorted(by: { $0.key < $1.key }) {
            let isUsed = name == list.used
            try console.show(
                "\(console.styled(name, .strong))  \(ForeignText.short(text, limit: 100))"
                    + (isUsed ? "  " + console.text("(in use)") : ""))
            try console.emit(PromptOutput(name: name, text: text, isUsed: isUsed))
        }
        return .done
    }
}

/// `parley prompts show`: writes a system prompt.
struct PromptsShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["prompts", "show"], summary: "Write a stored system prompt as it is",
        positionals: [PromptsAddCommand.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[PromptsAddCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let list = try await app.readSettings { try $0.prompts() } ?? SystemPromptList()
        let text = try list.text(of: name)
        // A pipe gets the text unchanged.
        if !console.isJSON {
            try console.output.write((console.output.isTerminal ? ForeignText.shown(text) : text) + "\n")
        }
        try console.emit(PromptOutput(name: name, text: text, isUsed: name == list.used))
        return .done
    }
}

/// `parley prompts use`: chooses the system prompt of conversations.
struct PromptsUseCommand: Command {
    private static let name = Positional<String>("NAME", help: "A prompt's name, or none")
    static let specification = CommandSpecification(
        path: ["prompts", "use"],
        summary: "Choose the system prompt of chat and talk --mode realtime, or none",
        discussion: "--system and --prompt have precedence over it.",
        positionals: [name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[Self.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = name
        let list = try await app.readSettings { try $0.prompts() } ?? SystemPromptList()
        if name == SystemPromptList.none {
            if list.used != name { try await app.writeSettings { try $0.set(nil, for: .usedPrompt) } }
            console.progress("Models are told nothing beforehand.")
        } else {
            _ = try list.text(of: name)
            try await app.writeSettings { settings in
                _ = try settings.prompts().text(of: name)
                try settings.set(name, for: .usedPrompt)
            }
            console.progress("Models are told the prompt \(name) from now on.")
        }
        try console.emit(["used": name])
        return .done
    }
}

/// `parley prompts remove`: removes a system prompt.
struct PromptsRemoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["prompts", "remove"], summary: "Remove a stored system prompt", positionals: [PromptsAddCommand.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[PromptsAddCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = name
        _ = try (await app.readSettings { try $0.prompts() } ?? SystemPromptList()).text(of: name)
        try await app.writeSettings { settings in
            if try settings.prompts().used == name { try settings.set(nil, for: .usedPrompt) }
            try settings.set(nil, for: .prompt(name))
        }
        console.progress("The prompt \(name) is removed.")
        try console.emit(["removed": name])
        return .done
    }
}

/// A system prompt in JSON.
private struct PromptOutput: Encodable {
    let name: String
    let text: String
    let isUsed: Bool
}
