// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley progress delete`: removes results, here and at the server.
struct ProgressDeleteCommand: Command {
    private static let name = NamePrefix.several(from: "parley progress --list")
    static let specification = CommandSpecification(
        path: ["progress", "delete"],
        summary: "Delete results, here and at the server; their recordings stay",
        discussion: "If the server cannot be reached, the deletion is sent later: parley uploads list shows it.",
        positionals: [name],
        options: [AccountOptions.server])

    private let names: [NamePrefix]
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        names = invocation[Self.name]
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let known = try await practice.storage.results.all(PracticeQuery(limit: PracticeQuery.limits.upperBound))
                .map(\.id)
            // All ids are checked first, so that an invalid one deletes nothing.
            for id in try names.map({ try $0.one(of: known, called: "result") }) {
                _ = try await practice.storage.results.delete(id)
                try console.tell("Deleted \(id.short).")
                try console.emit(["deleted": id.description])
            }
        }
        return .done
    }
}
