// SPDX-License-Identifier: MIT

import CommandLineArguments
import Security

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
    static let secretName = PositionalSpecification(
        name: "NAME", arity: .one, help: "SERVICE/ACCOUNT, such as elevenlabs/default; /default can be left out")

    private let name: String
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation.positionals[0]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        let store = try await choice.open(in: app, console: console)
        try await store.set(try await SecretPrompt(console: console).value("Secret for \(name): "), for: name)
        console.progress("The secret \(name.description.printable) is stored.")
        try console.emit(SecretOutput(name))
        return .done
    }
}

/// A secret's name as it is shown; never its value.
struct SecretOutput: Encodable {
    let service: String
    let account: String

    init(_ name: SecretName) {
        service = name.service
        account = name.account
    }
}
