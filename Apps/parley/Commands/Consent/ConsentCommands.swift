// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import PracticeWire

/// `parley consent show`: what may be sent, and since when.
struct ConsentShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["consent", "show"],
        summary: "Show if recordings and results may be sent to your server, and since when",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console, isOffline: true) { practice in
            let account = try practice.session.signedIn()
            let consent = try await practice.session.consents.consent(of: account.id)
            let permission = try await account.gate.permission()
            for line in try await practice.session.consentText().lines { try console.show(line) }
            try console.show("")
            if let consent {
                let words = ["given": "yes", "declined": "no", "withdrawn": "no more"]
                try console.show(
                    "Your answer is \(words[consent.decision.rawValue] ?? ""), since "
                        + "\(consent.decidedAt.formatted(.iso8601)), to version \(consent.textVersion) of this text.")
            }
            if case .refused(let reason) = permission { try console.show(reason.message) }
            let held = try await practice.session.held()
            if held.count > 0 {
                try console.show(
                    "\(held.count) recordings and results from before are not sent: parley consent give --earlier")
            }
            try console.emit(ConsentOutput(consent, permission, held))
        }
        return .done
    }
}

/// `parley consent give`: lets recordings and results be sent.
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
        try await app.withPractice(account, console: console) { practice in
            let account = try practice.session.signedIn()
            _ = try await practice.session.manager.activate()
            for line in try await practice.session.consentText().lines { try console.show(line) }
            let consent = UploadConsent(.given, at: Date())
            try await practice.session.consents.store(consent, of: account.id, includingEarlier: includesEarlier)
            try console.show(UploadAnswer.yes.reply)
            let held = try await practice.session.held()
            if held.count > 0 {
                try console.show("\(held.count) from before stay here. Send them, too: parley consent give --earlier")
            }
            try console.emit(ConsentOutput(consent, try await account.gate.permission(), held))
        }
        return .done
    }
}

/// `parley consent withdraw`: stops sending, and deletes what was sent if the person wants it.
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
        // First here, and without the server, which may be out of reach.
        try await app.withPractice(account, console: console, isOffline: true, writes: true) { practice in
            let account = try practice.session.signedIn()
            let consent = UploadConsent(.withdrawn, at: Date())
            try await practice.session.consents.store(consent, of: account.id, includingEarlier: false)
            try console.show("Nothing is sent any more.")
            try console.emit(
                ConsentOutput(consent, try await account.gate.permission(), try await practice.session.held()))
        }
        guard try await wantsDeletion(console) else {
            console.progress("What the server has stays there. Delete it: parley consent withdraw --delete-sent")
            return .done
        }
        try await app.withPractice(account, console: console) { practice in
            guard let rights = practice.sync?.rights else { throw DomainError.signInNeeded }
            let receipt = try await rights.delete()
            try await practice.storage.database.forgetSent(try practice.session.signedIn().id)
            try console.show(
                "At the server: \(DataExportCommand.words(receipt.counts)) deleted. Receipt \(receipt.id).")
            try console.emit(ReceiptOutput(receipt))
        }
        return .done
    }

    private func wantsDeletion(_ console: Console) async throws -> Bool {
        if let deletes { return deletes }
        guard InputStream().isTerminal, console.errors.isTerminal, !console.isJSON else { return false }
        let question = WordQuestion(
            text: "Delete what the server has? Results and recordings on this device stay. Type delete or keep.",
            console: console)
        return try await question.answer() == "delete"
    }
}

/// `parley practice adopt`: adds what was practised before the sign-in to the account.
struct PracticeAdoptCommand: Command {
    static let specification = CommandSpecification(
        path: ["practice", "adopt"],
        summary: "Add what was practised here before you signed in to your account",
        discussion: "It is sent to the server only if you have agreed to that (parley consent show).",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console, isOffline: true) { practice in
            let account = try practice.session.signedIn()
            let (results, recordings) = try await practice.storage.database.adopt(by: account.id, queue: account.queue)
            try console.show("\(results) results and \(recordings) recordings are your account's now.")
            try console.emit(["results": results, "recordings": recordings])
        }
        return .done
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

    init(_ consent: UploadConsent?, _ permission: UploadPermission, _ held: HeldUploads) {
        decision = consent?.decision.rawValue
        decidedAt = consent?.decidedAt.formatted(.iso8601)
        textVersion = consent?.textVersion
        if case .refused(let reason) = permission { self.reason = reason.rawValue } else { reason = nil }
        isAllowed = permission == .allowed
        (self.held, unowned) = (held.held, held.unowned)
    }
}

extension PracticeSession {
    /// The account's answer about uploads as JSON, for an export; nil without an answer.
    func consentRecord() async throws -> [UInt8]? {
        struct Record: Encodable {
            let decision: String
            let decidedAt: String
            let textVersion: Int
            let server: String?
        }
        guard let account, let consent = try await consents.consent(of: account.id) else { return nil }
        let record = Record(
            decision: consent.decision.rawValue, decidedAt: consent.decidedAt.formatted(.iso8601),
            textVersion: consent.textVersion, server: account.server.absoluteString)
        return try WireJSON.encode(record)
    }
}
