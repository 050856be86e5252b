// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials

/// `parley cues next`: shows the next cue to practise.
struct CuesNextCommand: Command {
    static let specification = CommandSpecification(
        path: ["cues", "next"],
        summary: "Show what parley practice would begin with",
        options: CueOptions.all + [AccountOptions.server])

    private let query: CueQuery
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        query = CueOptions.query(invocation)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withCues(account, isOffline: true) { practice in
            let cue = try await practice.nextCue(query)
            var screen = CueListScreen(console: console)
            try screen.show(CuePage(cues: [cue]), practised: try await practice.practised([cue]))
            try screen.end()
        }
        return .done
    }
}
