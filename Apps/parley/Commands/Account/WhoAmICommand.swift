// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments

/// `parley whoami`: shows the account that is signed in, as the server sees it.
struct WhoAmICommand: Command {
    static let specification = CommandSpecification(
        path: ["whoami"],
        summary: "Say who is signed in, and where",
        discussion:
            "Asks the server. The exit code is 3 when you are not signed in, 5 when the server cannot be reached.",
        options: [AccountOptions.server])

    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let output = try await app.withAccount(options) { account in
            try await account.controller.start()
            return AccountOutput(try await account.controller.fetchUser(), server: account.server)
        }
        try console.tell(output.text)
        try console.emit(output)
        return .done
    }
}
