// SPDX-License-Identifier: MIT

import Auth
import Domain
import FoundationEssentials
import TerminalKit

/// An open account at a server.
struct Account: Sendable {
    let controller: SessionController
    let server: URL
    /// The settings, which are kept once the server has taken a request.
    let settings: AccountSettings

    /// Reads the stored session before a sign-in.
    ///
    /// - Throws: `AuthError` with the code `alreadySignedIn` if the stored session is valid, or the error of the
    ///   request that checks it. A session that the server has ended, or that cannot be read, does not prevent a
    ///   sign-in.
    func startSigningIn() async throws {
        do {
            try await controller.start()
        } catch let error as AuthError where error.code == .storage && error.underlying == nil {
            return
        }
        guard await controller.isSignedIn else { return }
        do {
            _ = try await controller.fetchUser()
        } catch let error as AuthError where error.isEndOfSession {
            return
        }
        throw AuthError(.alreadySignedIn, "Somebody is signed in already.")
    }

    /// The signed-in user, as it is shown.
    var output: AccountOutput {
        get async { AccountOutput(await controller.currentUser, server: server) }
    }
}

extension SessionController {
    /// True if there is a session, with or without an access token.
    var isSignedIn: Bool { ![.signedOut, .awaitingProof].contains(state) }
}

/// `{"account":{"id","email"},"server"}`
struct AccountOutput: Encodable {
    struct User: Encodable {
        let id: String
        let email: String?
    }

    /// The event's name; nil where no events are written.
    var event: String?
    let account: User?
    let server: String

    init(_ user: AuthUser?, server: URL) {
        account = user.map { User(id: $0.id, email: $0.email) }
        self.server = server.absoluteString
    }

    /// The account in words: "ada@example.org at https://auth.example.org".
    var text: Sentence {
        guard let account else { return "an account at \(server)" }
        return account.email.map { "\($0) at \(server)" } ?? "the account \(account.id) at \(server)"
    }
}
