// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley sessions list`: shows where the account is signed in.
struct SessionsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["sessions", "list"],
        summary: "Show where your account is signed in, the newest first; a star marks this machine's",
        options: [AccountOptions.server])

    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let sessions = try await app.withAccount(options) { account in
            try await account.controller.start()
            return try await account.controller.sessions()
        }
        for session in sessions {
            let since = session.createdAt.map { "since \($0.formatted(.iso8601))" as Sentence }
            let used = session.lastUsedAt.map { "used \($0.formatted(.iso8601))" as Sentence }
            let words = [session.isCurrent ? "*" : " ", session.id, session.device ?? "?"].map(\.printable)
            try console.show(
                (words + [since, used].compactMap { $0.map(console.text) }).joined(separator: "  "))
        }
        try console.emit(["sessions": sessions.map(SessionOutput.init)])
        return .done
    }

    private struct SessionOutput: Encodable {
        let id: String
        let device: String?
        let createdAt: String?
        let lastUsedAt: String?
        let isCurrent: Bool

        init(_ session: AuthSession) {
            (id, device, isCurrent) = (session.id, session.device, session.isCurrent)
            createdAt = session.createdAt?.formatted(.iso8601)
            lastUsedAt = session.lastUsedAt?.formatted(.iso8601)
        }
    }
}

/// `parley sessions revoke`: ends a session elsewhere.
struct SessionsRevokeCommand: Command {
    private static let others = Flag("others", help: "End all but this machine's")
    private static let id = Positional<String?>(
        optional: "ID", help: "As parley sessions list shows it, or its beginning")
    static let specification = CommandSpecification(
        path: ["sessions", "revoke"],
        summary: "End a session of your account, or all but this machine's",
        discussion:
            "A lost machine is signed out at its next request. parley sign-out ends this machine's own session.",
        positionals: [id],
        options: [others, AccountOptions.server])

    private let id: String?
    private let options: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        id = invocation[Self.id]
        guard (id == nil) == invocation.has(Self.others) else {
            throw UsageError("Give the ID of one session, or --others.", command: invocation.command)
        }
        options = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let ended = try await app.withAccount(options) { account in
            try await account.controller.start()
            let sessions = try await account.controller.sessions()
            guard let id else {
                try await account.controller.signOut(.others)
                return sessions.filter { !$0.isCurrent }.map(\.id)
            }
            let session = try choose(id, among: sessions)
            try await account.controller.revoke(session: session.id)
            return [session.id]
        }
        try console.tell(
            Sentence(
                one: "Ended \(ended.count) session.", other: "Ended \(ended.count) sessions.", count: ended.count))
        try console.emit(["revoked": ended])
        return .done
    }

    private func choose(_ id: String, among sessions: [AuthSession]) throws -> AuthSession {
        let matches = sessions.filter { $0.id == id }
        let similar = matches.isEmpty ? sessions.filter { $0.id.hasPrefix(id) } : matches
        guard similar.count == 1, let session = similar.first else {
            let reason: Sentence =
                similar.isEmpty ? "No session has this ID." : "More than one session ID starts with this."
            throw AuthError.own("\(reason) parley sessions list shows all of them.", .refused)
        }
        guard !session.isCurrent else {
            throw AuthError.own("This is this machine's own session. parley sign-out ends it.", .refused)
        }
        return session
    }
}
