// SPDX-License-Identifier: MIT

import CommandLineArguments
import Security

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
        name = invocation.positionals[0]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        guard let value = try await choice.open(in: app, console: console).value(for: name) else {
            throw SecretNotFound(name: name)
        }
        try value.withExposed { try console.output.write($0) }
        if console.output.isTerminal { try console.output.write("\n") }
        return .done
    }
}
