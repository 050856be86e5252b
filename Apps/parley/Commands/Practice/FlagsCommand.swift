// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley flags`: shows the flags with their values and reasons.
struct FlagsCommand: Command {
    static let specification = CommandSpecification(
        path: ["flags"],
        summary: "Show what is switched on for you, and where each value came from",
        discussion: """
            A value comes from the server when it answers, else from its last good answer (stored), else from the program
            (default). PARLEY_FLAGS names a JSON file, {"evaluationTimeLimit": 5}, that comes before all of them, for trying
            things out; a release build does not look at it.
            """,
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account) { practice in
            let session = try await practice.session.manager.activate()
            let now = Date()
            let ofPage = await app.flagsOfPage
            for flag in Flags.all {
                let resolution = session.flags.resolve(flag.name, fallback: flag.fallback, at: now)
                let reason = resolution.exclusion.map {
                    " " + console.text("(the server's rule does not hold: \($0.rawValue))")
                }
                let source = ofPage.contains(flag.name) ? "page" : resolution.source.rawValue
                try console.show("\(flag.name) = \(resolution.value)".printable)
                try console.show(console.styled("    \(source)\(reason ?? ""). \(flag.summary)", .muted))
                try console.emit(
                    FlagOutput(
                        name: flag.name, value: "\(resolution.value)", source: source,
                        exclusion: resolution.exclusion?.rawValue, summary: flag.summary))
            }
            if let problem = session.problem { console.progress("The server was not asked: \(problem.message)") }
        }
        return .done
    }

    private struct FlagOutput: Encodable {
        let name: String
        let value: String
        let source: String
        let exclusion: String?
        let summary: String
    }
}
