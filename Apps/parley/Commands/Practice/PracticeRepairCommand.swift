// SPDX-License-Identifier: MIT

import CommandLineArguments

/// `parley practice repair`: saves what can be read of a damaged practice file.
struct PracticeRepairCommand: Command {
    static let specification = CommandSpecification(
        path: ["practice", "repair"],
        summary: "Check the results and what waits; if they are damaged, keep them aside and save what can be read",
        discussion: "Close every other parley first: what it stores meanwhile goes into the file that is kept aside.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let account = try await app.repairPractice()
        try console.show(account ?? "The practice file is sound. Nothing was changed.")
        try console.emit(Output(damaged: account != nil, message: account))
        return .done
    }

    private struct Output: Encodable {
        let damaged: Bool
        let message: String?
    }
}
