// SPDX-License-Identifier: MIT

import CommandLineArguments
import Security

/// `parley secrets list`: shows names, never values.
struct SecretsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "list"],
        summary: "Show the names of stored secrets",
        positionals: [PositionalSpecification(name: "SERVICE", arity: .optional, help: "Only those of this service")],
        options: SecretStoreChoice.options)

    private let service: String?
    private let choice: SecretStoreChoice

    init(_ invocation: Invocation) throws(UsageError) {
        service = invocation.positionals.first
        choice = try SecretStoreChoice(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let names = try await choice.open(in: app, console: console).names(service: service)
        for name in names { try console.show(name.description.printable) }
        try console.emit(["secrets": names.map(SecretOutput.init)])
        return .done
    }
}
