// SPDX-License-Identifier: MIT

import CommandLineArguments
import Security

/// `parley secrets delete`: forgets a secret.
struct SecretsDeleteCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "delete"],
        summary: "Forget a secret",
        positionals: [SecretsSetCommand.secretName],
        options: SecretStoreChoice.options)

    private let name: String
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation.positionals[0]
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let name = try SecretStoreChoice.name(name)
        guard try await choice.open(in: app, console: console).delete(name) else { throw SecretNotFound(name: name) }
        console.progress("The secret \(name.description.printable) is gone.")
        try console.emit(SecretOutput(name))
        return .done
    }
}
