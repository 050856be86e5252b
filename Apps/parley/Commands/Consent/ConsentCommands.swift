// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials

/// `parley consent show`: shows the permissions to send data, with their dates.
struct ConsentShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["consent", "show"],
        summary: "Show if recordings and results may be sent to your server, and since when",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let standing = try await practice.session.decideUploads().standing()
            for line in try await practice.session.consentText().shown(console) { try console.show(line) }
            try console.show("")
            if let consent = standing.consent {
                try console.tell(
                    "Your answer is \(consent.decision.word), since \(consent.decidedAt.formatted(.iso8601)), to version "
                        + "\(consent.textVersion) of this text.")
            }
            if case .refused(let reason) = standing.permission { try console.tell(reason.sentence) }
            if standing.held.count > 0 {
                let count = standing.held.count
                try console.tell(
                    Sentence(
                        one: "\(count) recording or result from before is not sent: parley consent give --earlier",
                        other:
                            "\(count) recordings and results from before are not sent: parley consent give --earlier",
                        count: count))
            }
            try console.emit(
                ConsentOutput(standing, text: try await practice.session.consentText().lines.map(\.english)))
        }
        return .done
    }
}

/// `parley consent give`: allows recordings and results to be sent.
struct ConsentGiveCommand: Command {
    private static let earlier = Flag(
        "earlier", help: "Send what was kept earlier, too, also from before you signed in on this device")
    static let specification = CommandSpecification(
        path: ["consent", "give"],
        summary: "Agree that recordings and results are sent to your server from now on",
        discussion: """
            Shows what is sent, where, what for, for how long, and how to take it back; the answer is stored with its date.
            What was kept earlier stays on this device unless --earlier is given.
            """,
        options: [
            earlier,
            AccountOptions.server,
        ])

    private let includesEarlier: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        includesEarlier = invocation.has(Self.earlier)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account) { practice in
            let decide = try practice.session.decideUploads()
            _ = try await practice.session.manager.activate()
            for line in try await practice.session.consentText().shown(console) { try console.show(line) }
            try await decide.answer(.given, includingEarlier: includesEarlier)
            try console.tell(UploadAnswer.yes.reply)
            let standing = try await decide.standing()
            if standing.held.count > 0 {
                let count = standing.held.count
                try console.tell(
                    Sentence(
                        one: "\(count) from before stays here. Send it, too: parley consent give --earlier",
                        other: "\(count) from before stay here. Send them, too: parley consent give --earlier",
                        count: count))
            }
            try console.emit(ConsentOutput(standing))
        }
        return .done
    }
}

/// `parley consent withdraw`: stops sending, and deletes sent data if the person wants it.
struct ConsentWithdrawCommand: Command {
    private static let deleteSent = Flag("delete-sent", help: "Delete what the server has; what is here stays")
    private static let keepSent = Flag("keep-sent", help: "Leave at the server what it has")
    static let specification = CommandSpecification(
        path: ["consent", "withdraw"],
        summary: "Send no recordings and results any more, and delete what was sent if you like",
        discussion: """
            Nothing is sent from this moment on, also by a parley service or an upload that runs. At a terminal it asks if the
            server is to delete what it has; --delete-sent does so without asking, --keep-sent leaves it there.
            """,
        options: [
            deleteSent,
            keepSent, AccountOptions.server,
        ])

    private let deletes: Bool?
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        guard !invocation.has(Self.deleteSent) || !invocation.has(Self.keepSent) else {
            throw UsageError("--delete-sent and --keep-sent exclude each other.", command: invocation.command)
        }
        deletes = invocation.has(Self.deleteSent) ? true : invocation.has(Self.keepSent) ? false : nil
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // The local change is first and needs no server, which may be out of reach.
        try await app.withPractice(account, isOffline: true, writes: true) { practice in
            let decide = try practice.session.decideUploads()
            try await decide.answer(.withdrawn)
            try console.tell("Nothing is sent any more.")
            try console.emit(ConsentOutput(try await decide.standing()))
        }
        guard try await wantsDeletion(console) else {
            console.progress("What the server has stays there. Delete it: parley consent withdraw --delete-sent")
            return .done
        }
        try await app.withPractice(account) { practice in
            guard let rights = practice.sync?.rights else { throw DomainError.signInNeeded }
            let account = try practice.session.signedIn()
            let database = practice.storage.database
            let receipt = try await practice.session.decideUploads().deleteSent {
                try await rights.delete()
            } forget: {
                try await database.withdrawSent(account.id)
            }
            try console.tell(
                "At the server: \(DataExportCommand.words(receipt.counts)) deleted. Receipt \(receipt.id).")
            try console.emit(ReceiptOutput(receipt))
        }
        return .done
    }

    private func wantsDeletion(_ console: Console) async throws -> Bool {
        if let deletes { return deletes }
        guard InputStream().isTerminal, console.errors.isTerminal, !console.isJSON else { return false }
        let question = WordQuestion(
            text: "Delete what the server has? Results and recordings on this device stay. Type delete or keep."
                as Sentence,
            console: console)
        return try await question.answer() == "delete"
    }
}

/// `parley practice adopt`: adds the results and recordings from before the sign-in to the account.
struct PracticeAdoptCommand: Command {
    static let specification = CommandSpecification(
        path: ["practice", "adopt"],
        summary: "Add what was practised here before you signed in to your account",
        discussion: "It is sent to the server only if you have agreed to that (parley consent show).",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let account = try practice.session.signedIn()
            let (results, recordings) = try await practice.storage.database.adopt(by: account.id, queue: account.queue)
            try console.tell(
                "Your account's now: \(DataExportCommand.words(["results": results, "recordings": recordings])).")
            try console.emit(["results": results, "recordings": recordings])
        }
        return .done
    }
}

extension UploadConsent.Decision {
    /// The decision in one word.
    fileprivate var word: Sentence {
        switch self {
        case .given: "yes"
        case .declined: "no"
        case .withdrawn: "no more"
        }
    }
}

private struct ConsentOutput: Encodable {
    let decision: String?
    let decidedAt: String?
    let textVersion: Int?
    let isAllowed: Bool
    let reason: String?
    let held: Int
    let unowned: Int
    /// The text that the answer is about; nil where it was not asked for.
    let text: [String]?

    init(_ standing: DecideUploads.Standing, text: [String]? = nil) {
        self.text = text
        decision = standing.consent?.decision.rawValue
        decidedAt = standing.consent?.decidedAt.formatted(.iso8601)
        textVersion = standing.consent?.textVersion
        if case .refused(let reason) = standing.permission { self.reason = reason.rawValue } else { reason = nil }
        isAllowed = standing.permission == .allowed
        (held, unowned) = (standing.held.held, standing.held.unowned)
    }
}
