// SPDX-License-Identifier: MIT

import AuthServer
import CommandLineArguments
import ParleyServer
import TerminalKit

/// `parley-server users list`.
enum UsersListCommand: ServerCommand {
    static let page = ValueOption<Int>(
        "page", placeholder: "N", help: "The page, from 1 on (default 1)", in: 1...1_000_000)
    static let size = ValueOption<Int>(
        "per-page", placeholder: "N", help: "The accounts of a page (default 50)", in: 1...1_000)
    static let specification = CommandSpecification(
        path: ["users", "list"], summary: "Show the accounts, the newest first",
        options: [page, size] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await show(nil, invocation, surroundings)
    }

    static func show(_ part: String?, _ invocation: Invocation, _ surroundings: Surroundings) async throws {
        let size = invocation[size] ?? 50
        try await Administration.with(invocation, surroundings) { administration in
            let found = try await administration.page(
                matching: part, offset: ((invocation[page] ?? 1) - 1) * size, limit: size)
            let table = Administration.table(of: found.accounts)
            try Administration.write(
                found, invocation, surroundings, text: table + "\(found.accounts.count) of \(found.total)\n")
        }
    }
}

/// `parley-server users find`.
enum UsersFindCommand: ServerCommand {
    private static let part = Positional<String>("TEXT", help: "A part of the address, or the whole id")
    static let specification = CommandSpecification(
        path: ["users", "find"], summary: "Show the accounts that match", positionals: [part],
        options: [UsersListCommand.page, UsersListCommand.size] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await UsersListCommand.show(invocation[part], invocation, surroundings)
    }
}

/// `parley-server users show`.
enum UsersShowCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["users", "show"], summary: "Show an account, its sessions, and how much it keeps",
        positionals: [Administration.account], options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let id = try await administration.account(invocation[Administration.account])
            let details = try await administration.details(of: id)
            try Administration.write(details, invocation, surroundings, text: text(details))
        }
    }

    private static func text(_ details: AccountDetails) -> String {
        let account = details.account
        var values = [
            ("id", account.id), ("address", account.email), ("created", account.createdAt),
            ("first sign-in", account.confirmedAt ?? "-"), ("invited", account.invitedAt ?? "-"),
            ("blocked until", account.bannedUntil ?? "-"), ("last seen", details.lastSeenAt ?? "-"),
        ]
        values += [
            ("recordings", "\(details.recordings) (\(details.bytes) bytes)"), ("results", "\(details.results)"),
            ("relay objects", "\(details.objects)"),
        ]
        var sessions = ReportTable("SESSION", "CREATED", "LAST USED", "DEVICE")
        for session in details.sessions {
            sessions.add(session.id, session.createdAt, session.lastUsedAt, session.device)
        }
        let lines = TextTable(values.map { [$0.0, $0.1.printable] }, gap: 2).lines()
        return lines.map { $0 + "\n" }.joined() + (details.sessions.isEmpty ? "no sessions\n" : sessions.text)
    }
}

/// `parley-server users invite`.
enum UsersInviteCommand: ServerCommand {
    private static let address = Positional<String>("ADDRESS", help: "The mail address")
    static let specification = CommandSpecification(
        path: ["users", "invite"], summary: "Make an account, and mail its owner a link and a code",
        discussion:
            "The running server, or the next one, sends the mail. Again for an account that nobody has used yet.",
        positionals: [address], options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let address = try EmailAddress(invocation[address])
        try await Administration.with(invocation, surroundings) { administration in
            let account = try await administration.invite(address)
            try Administration.write(account, invocation, surroundings, text: Administration.table(of: [account]))
        }
    }
}

/// `parley-server users block`.
enum UsersBlockCommand: ServerCommand {
    private static let hours = ValueOption<Int>(
        "hours", placeholder: "N", help: "End the block after N hours (default: a hundred years)", in: 1...876_000)
    static let specification = CommandSpecification(
        path: ["users", "block"], summary: "End an account's sessions, and refuse its sign-ins",
        discussion: "Only the account's owner learns of the block, after a right code or link.",
        positionals: [Administration.account], options: [hours] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let block = invocation[hours].map { AccountBlock.for(.seconds($0 * 3_600)) } ?? .forever
        try await change(block, invocation, surroundings)
    }

    static func change(_ block: AccountBlock, _ invocation: Invocation, _ surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let id = try await administration.account(invocation[Administration.account])
            let account = try await administration.change(block, of: id)
            try Administration.write(account, invocation, surroundings, text: Administration.table(of: [account]))
        }
    }
}

/// `parley-server users unblock`.
enum UsersUnblockCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["users", "unblock"], summary: "Let a blocked account sign in again",
        positionals: [Administration.account], options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await UsersBlockCommand.change(.lifted, invocation, surroundings)
    }
}

/// `parley-server users delete`.
enum UsersDeleteCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["users", "delete"], summary: "Delete an account with all of its data, and show the receipt",
        discussion: "The same as its owner's own request. It cannot be undone.",
        positionals: [Administration.account], options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let id = try await administration.account(invocation[Administration.account])
            let deletion = try await administration.delete(id)
            let counts = deletion.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            try Administration.write(
                deletion, invocation, surroundings,
                text: "receipt \(deletion.receipt): \(counts.joined(separator: ", "))\n")
        }
    }
}

/// `parley-server users sign-out`.
enum UsersSignOutCommand: ServerCommand {
    private struct Report: Encodable {
        let sessions: Int
    }

    static let specification = CommandSpecification(
        path: ["users", "sign-out"], summary: "End all sessions of an account",
        positionals: [Administration.account], options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let id = try await administration.account(invocation[Administration.account])
            let count = try await administration.signOut(id)
            try Administration.write(Report(sessions: count), invocation, surroundings, text: "\(count) sessions\n")
        }
    }
}
