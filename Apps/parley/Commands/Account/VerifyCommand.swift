// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import DesktopNotifications
import Domain
import TerminalKit

/// `parley verify`: finishes a sign-in that any parley of this person has begun.
struct VerifyCommand: Command {
    private static let proof = Positional<String>("CODE|LINK", help: "Code or link of the newest mail")
    static let specification = CommandSpecification(
        path: ["verify"],
        summary: "Finish signing in with the code or the link of the mail",
        discussion: """
            Takes what a mail brings: its six digits, its link, the address of the page that the link led to, or the code
            that this page shows. The desktop runs it for parley:// links (parley install registers that); without a
            terminal it says on the desktop what came of it.
            """,
        positionals: [proof],
        options: [AccountOptions.server])

    private let text: String
    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        text = invocation[Self.proof]
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let isHandler = text.hasPrefix("parley:") && !InputStream().isTerminal && !console.errors.isTerminal
        do {
            let output = try await app.withAccount(options) { account in
                let proof = try SignInProof(text, server: account.server)
                try await account.startSigningIn()
                try await proof.verify(with: account.controller)
                return await account.output
            }
            if isHandler { await notify(console.text("Signed in as \(output.text)."), .normal) }
            try console.show(console.text("Signed in as \(output.text)."))
            try console.emit(output)
            if !isHandler { try await SignInQuestion(options: options).ask(in: app, console: console) }
            return .done
        } catch {
            if isHandler, let report = ErrorReport(error) { await notify(console.text(report.sentence), .critical) }
            throw error
        }
    }

    /// Shows a notification on the desktop. Without a desktop the exit code is the only sign.
    private func notify(_ text: String, _ urgency: DesktopNotification.Urgency) async {
        let notifier = DesktopNotifier(application: "Parley", desktopEntry: LinkHandler.entry)
        _ = try? await notifier.show(DesktopNotification(title: "Parley", body: text.printable, urgency: urgency))
    }
}
