// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley approve`: shows every tool that waits for consent, and asks.
struct ApproveCommand: Command {
    private static let list = Flag("list", help: "Show what waits, and ask nothing")
    static let specification = CommandSpecification(
        path: ["approve"],
        summary: "Show the tools that wait for your consent in full, and answer",
        discussion: """
            A chat or a talk in which the model wants to call a tool waits for an answer: yes, no or always, a whole word
            typed behind the question, there or here. Here it can be given from another terminal. A notification on the
            desktop only says that something waits. --list shows without asking; with --json a line each.
            """,
        options: [list])

    private let listsOnly: Bool

    init(_ invocation: Invocation) throws(UsageError) { listsOnly = invocation.has(Self.list) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let asksNothing = listsOnly || console.isJSON
        let prompter = asksNothing ? nil : ConsentPrompter(console: console)
        guard asksNothing || prompter != nil else {
            throw UsageError(
                "Consent is typed at a terminal. Run parley approve in one, or give --list.",
                command: Self.specification)
        }
        var count = 0
        for path in OwnSocket.paths(in: app.paths.pendingConsents) {
            let shown: PendingConsent.Reply? = try OwnSocket.exchange(PendingConsent.Message(), at: path)
            guard let shown, let request = shown.request else { continue }
            count += 1
            guard let prompter else {
                for line in request.lines(by: console.translator) { try console.show(line) }
                try console.emit(request)
                continue
            }
            let answer = try await prompter.ask(request)
            let message = PendingConsent.Message(number: shown.number, answer: answer)
            let reply: PendingConsent.Reply? = try OwnSocket.exchange(message, at: path)
            console.progress(
                reply?.isTaken == true ? "Answered: \(answer.rawValue)." : "It no longer waits; nothing was answered.")
        }
        if count == 0 { console.progress("No tool waits for your consent.") }
        return .done
    }
}

extension AppPaths {
    /// The folder of the questions that wait for consent; all its files are sockets.
    var pendingConsents: String { data + "/consents" }
}
