// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley sign-in`: signs in by a mail.
struct SignInCommand: Command {
    private static let code = Flag("code", help: "Ask for the code alone, for a browser on another machine")
    private static let linkBy = ValueOption<SignInWay>(
        "link-by", placeholder: "WAY",
        help: "How the link returns: loopback (default), to this parley; application, through the desktop",
        choices: [.loopback, .application])
    private static let noWait = Flag("no-wait", help: "Ask for the mail, and leave the rest to parley verify")
    private static let email = Positional<String>("EMAIL", help: "Your address")
    static let specification = CommandSpecification(
        path: ["sign-in"],
        summary: "Sign in by a mail: open its link, or type its code",
        discussion: """
            Whichever comes first counts: the link that is opened in a browser on this machine, the code or the link at the
            prompt, or parley verify in another terminal. Enter sends another mail once that is allowed. Ctrl-C leaves, and
            the mail stays good: parley verify CODE|LINK finishes. Codes and links can be piped in, one a line. Events in
            JSON: mailRequested, refused, signedIn. Exit codes: 0 signed in (with --no-wait: a mail was asked for),
            2 unusable server or address, 3 turned down, 5 network.
            """,
        positionals: [email],
        options: [
            code,
            linkBy,
            noWait,
            AccountOptions.server,
        ] + AccountOptions.deciding)

    private let email: String
    private let way: SignInWay
    private let waits: Bool
    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        email = invocation[Self.email]
        guard email.contains("@"), !email.contains(where: \.isWhitespace) else {
            throw UsageError("\"\(email.printable)\" is no e-mail address.", command: invocation.command)
        }
        waits = !invocation.has(Self.noWait)
        let way = invocation[Self.linkBy]
        guard way == nil || !invocation.has(Self.code) else {
            throw UsageError("--code and --link-by exclude each other.", command: invocation.command)
        }
        guard way != .loopback || waits else {
            throw UsageError("--no-wait does not wait for a link.", command: invocation.command)
        }
        self.way = way ?? (invocation.has(Self.code) || !waits ? .code : .loopback)
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let ending = try await signIn(in: app, console: console)
        if ending == .done, waits { try await SignInQuestion(options: options).ask(in: app, console: console) }
        return ending
    }

    private func signIn(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withAccount(options) { account in
            try await account.startSigningIn()
            let keep: @Sendable (Date) throws -> Void = { resendAt in
                try app.paths.makeConfigurationFolder()
                try account.settings.save(to: app.paths.account)
                try console.emit(MailEvent(resendAt: resendAt.formatted(.iso8601), server: account.settings.server))
            }
            guard waits else { return try await askOnly(account, console, keep) }
            let conversation = SignInConversation(
                account: account, email: email, way: way, console: console, onMail: keep)
            do {
                switch try await conversation.hold() {
                case .failed(let error): throw error
                case .left:
                    await keepWhatStays(account, app, console)
                    return .interrupted
                case .signedIn: break
                }
            } catch is CancellationError {
                await keepWhatStays(account, app, console)
                throw CancellationError()
            }
            var output = await account.output
            output.event = "signedIn"
            try console.tell("Signed in as \(output.text).")
            try console.emit(output)
            return .done
        }
    }

    private func askOnly(
        _ account: Account, _ console: Console, _ keep: (Date) throws -> Void
    ) async throws -> ExitCode {
        try keep(
            try await account.controller.requestLink(
                to: email, returningTo: way == .application ? .application() : nil))
        try console.tell("A mail is on its way. parley verify CODE|LINK finishes the sign-in.")
        return .done
    }

    /// Stores the settings unless no mail can be on its way. A cancelled request may still have sent one.
    private func keepWhatStays(_ account: Account, _ app: CompositionRoot, _ console: Console) async {
        guard (try? await account.controller.resendTime) != nil else { return }
        try? app.paths.makeConfigurationFolder()
        try? account.settings.save(to: app.paths.account)
        console.progress("The mail stays good: parley verify CODE|LINK finishes the sign-in.")
    }

    private struct MailEvent: Encodable {
        let event = "mailRequested"
        /// The time from which another mail can be requested.
        let resendAt: String
        let server: String
    }
}
