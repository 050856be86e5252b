// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Security
import TerminalKit

/// `parley secrets set`: stores a secret, which is never an argument.
struct SecretsSetCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "set"],
        summary: "Store a secret, typed without being shown, or from standard input",
        discussion: """
            From a pipe the value is all that comes, without one line feed at its end. An argument would be in the shell's
            history and in the list of processes, so there is none for it.
            """,
        positionals: [secretName],
        options: SecretStoreChoice.options)

    /// The name that the secrets commands take.
    static let secretName = Positional<String>(
        "NAME", help: "SERVICE/ACCOUNT, such as elevenlabs/default; /default can be left out")

    private let name: String
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[SecretsSetCommand.secretName]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        let store = try await choice.open(in: app)
        try await store.set(
            try await SecretPrompt(console: console).value("Secret for \(name): " as Sentence), for: name)
        console.progress("The secret \(name.description.printable) is stored.")
        try console.emit(SecretOutput(name))
        return .done
    }
}

/// The JSON form of a secret: its name, never its value.
struct SecretOutput: Encodable {
    let service: String
    let account: String

    init(_ name: SecretName) {
        service = name.service
        account = name.account
    }
}

/// `parley secrets get`: writes a secret to standard output.
struct SecretsGetCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "get"],
        summary: "Write a secret to standard output",
        discussion: """
            The bytes come as they were stored; on a terminal a line feed follows. JSON has no secret in it, so --json is
            refused here.
            """,
        positionals: [SecretsSetCommand.secretName],
        options: SecretStoreChoice.options)

    private let name: String
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        guard !invocation.has(.json) else {
            throw UsageError("A secret is never written as JSON. Leave --json out.", command: invocation.command)
        }
        name = invocation[SecretsSetCommand.secretName]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        guard let value = try await choice.open(in: app, writes: false).value(for: name) else {
            throw SecretNotFound(name: name)
        }
        try value.withExposed { try console.output.write($0) }
        if console.output.isTerminal { try console.output.write("\n") }
        return .done
    }
}

/// `parley secrets list`: shows names, never values.
struct SecretsListCommand: Command {
    private static let service = Positional<String?>(optional: "SERVICE", help: "Only those of this service")
    static let specification = CommandSpecification(
        path: ["secrets", "list"],
        summary: "Show the names of stored secrets",
        positionals: [service],
        options: SecretStoreChoice.options)

    private let service: String?
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        service = invocation[Self.service]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let names = try await choice.open(in: app, writes: false).names(service: service)
        if names.isEmpty {
            console.progress(service.map { "No secret of \($0.printable) is stored." } ?? "No secret is stored.")
        }
        for name in names { try console.show(name.description.printable) }
        try console.emit(["secrets": names.map(SecretOutput.init)])
        return .done
    }
}

/// `parley secrets delete`: deletes a secret.
struct SecretsDeleteCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "delete"],
        summary: "Forget a secret",
        positionals: [SecretsSetCommand.secretName],
        options: SecretStoreChoice.options)

    private let name: String
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[SecretsSetCommand.secretName]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        guard try await choice.open(in: app, writes: false).delete(name) else {
            throw SecretNotFound(name: name)
        }
        console.progress("The secret \(name.description.printable) is deleted.")
        try console.emit(SecretOutput(name))
        return .done
    }
}
