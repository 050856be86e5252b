// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Domain

/// `parley sign-out`: ends the session here, or all of the account.
struct SignOutCommand: Command {
    private static let everywhere = Flag("everywhere", help: "End all sessions of the account")
    static let specification = CommandSpecification(
        path: ["sign-out"],
        summary: "Sign out here, or everywhere",
        discussion: """
            Without --everywhere nobody is signed in here afterwards, even if the server cannot be told; then the exit code
            is 5. A mail that was asked for and not used is forgotten too.
            """,
        options: [
            everywhere, AccountOptions.server,
        ])

    private let isEverywhere: Bool
    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        isEverywhere = invocation.has(Self.everywhere)
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withAccount(options) { account in
            try await account.controller.start()
            let wasSignedIn = await account.controller.isSignedIn
            do {
                try await account.controller.signOut(isEverywhere ? .global : .local)
            } catch let error as AuthError where !isEverywhere && ExitCode(for: error) == .network {
                console.progress("Signed out here. The server does not know it yet: \(error.advice)")
                try console.emit(Output(wasSignedIn: wasSignedIn, isServerTold: false))
                return .network
            }
            try console.tell(
                !wasSignedIn ? "Nobody was signed in." : isEverywhere ? "Signed out everywhere." : "Signed out.")
            try console.emit(Output(wasSignedIn: wasSignedIn, isServerTold: true))
            return .done
        }
    }

    private struct Output: Encodable {
        let wasSignedIn: Bool
        let isServerTold: Bool
    }
}
