// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import DataLayer
import Domain

/// `parley account delete`: ends the account at its server.
struct AccountDeleteCommand: Command {
    private static let yes = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["account", "delete"],
        summary: "Delete your account at the server with everything in it, show the receipt, and sign out here",
        discussion: """
            The server deletes your address, your sessions everywhere, recordings, results, exports, and what your devices
            left there for each other. What is on this device stays; parley data delete deletes that. Without the server
            nothing is done.
            """,
        options: [yes, AccountOptions.server])

    private let isSure: Bool
    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        isSure = invocation.has(Self.yes)
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withAccount(options) { account in
            try await account.controller.start()
            guard await account.controller.isSignedIn else { throw DomainError.signInNeeded }
            let name = await account.output.text
            let loss: Sentence = "\(name) for good, with all recordings and results there"
            guard try await console.confirmsDeletion(of: loss, summary: "your account" as Sentence, isSure: isSure)
            else {
                console.progress("Nothing was deleted.")
                return .refused
            }
            let receipt = try await app.rights(of: account).deleteAccount()
            try console.tell("Deleted \(name): \(DataExportCommand.words(receipt.counts)). Receipt \(receipt.id).")
            try console.emit(ReceiptOutput(receipt))
            // The server has deleted the account's sessions, so it has no other answer about this one.
            try? await account.controller.signOut(.local)
            console.progress("Signed out. What is on this device stays: parley data delete --offline deletes it.")
            if try SyncSettings.load(from: app.paths.syncSettings)?.place == .server {
                console.warn(
                    "Your devices met at this server. To go on at another place: parley sync leave on each, then parley sync "
                        + "setup.")
            }
            return .done
        }
    }
}
