// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// `parley uploads list`: shows the items that wait to be sent to the server.
struct UploadsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "list"],
        summary: "Show what waits to be sent to the server, and what is stuck, and why",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let items = try await practice.session.signedIn().queue.items()
            if items.isEmpty { console.progress("Nothing waits.") }
            let held = try await practice.session.held().held
            if held > 0 { console.progress("\(held) recordings and results are held back: parley consent show") }
            for item in items {
                let output = SyncItemOutput(item)
                let tried = Sentence(
                    one: "tried \(item.attempts) time", other: "tried \(item.attempts) times", count: item.attempts)
                try console.show(
                    "\(item.id)  \(console.text(item.work.subject))  \(console.text(item.stage.word))"
                        + (item.attempts > 0 ? ", " + console.text(tried) : "")
                        + (output.reason.map { ": \($0.printable)" } ?? ""))
                try console.emit(output)
            }
            if items.contains(where: { if case .poisoned = $0.stage { true } else { false } }) {
                console.progress("Try again: parley uploads retry NUMBER. Give up: parley uploads discard NUMBER.")
            }
        }
        return .done
    }
}

/// `parley uploads send`: sends the waiting items now.
struct UploadsSendCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "send"],
        summary: "Send what waits to the server, now",
        discussion: "parley service does so all the time.",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account) { practice in
            guard let worker = practice.sync?.worker else { throw DomainError.signInNeeded }
            let presenter = SyncPresenter(console: console)
            let left = try await worker.drain { await presenter.show($0) }
            presenter.close()
            var isRefused = false
            if case .refused(let reason)? = try await practice.session.account?.gate.permission() {
                isRefused = true
                console.progress(reason.sentence)
            }
            let held = try await practice.session.held().held
            if held > 0 { console.progress("\(held) are held back: parley consent show") }
            try console.tell(
                left > 0
                    ? Sentence(
                        one: "\(left) still waits: parley uploads list",
                        other: "\(left) still wait: parley uploads list",
                        count: left)
                    : held > 0 || isRefused ? "Nothing waits." : "Everything is sent.")
            try console.emit(Output(waiting: left, held: held))
        }
        return .done
    }
}

private struct Output: Encodable {
    let waiting: Int
    let held: Int
}

/// `parley uploads retry`: tries poisoned items again.
struct UploadsRetryCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "retry"], summary: "Try again to send what is stuck",
        positionals: [PoisonedItems.numbers], options: [AccountOptions.server])

    private let items: PoisonedItems

    init(_ invocation: Invocation) throws(UsageError) { items = PoisonedItems(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await items.each(in: app, console, "retried", "is tried again" as Sentence) { try await $0.retry($1) }
    }
}

/// `parley uploads discard`: gives poisoned items up.
struct UploadsDiscardCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "discard"], summary: "Give up sending what is stuck; it stays on this device",
        positionals: [PoisonedItems.numbers], options: [AccountOptions.server])

    private let items: PoisonedItems

    init(_ invocation: Invocation) throws(UsageError) { items = PoisonedItems(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await items.each(in: app, console, "discarded", "is given up" as Sentence) { try await $0.discard($1) }
    }
}

/// Some poisoned items of the list, by their numbers.
private struct PoisonedItems {
    static let numbers = Positional<[Int64]>(
        oneOrMore: "NUMBER", help: "The number at the beginning of a line of parley uploads list",
        expected: "a number of parley uploads list", parse: { Int64($0) })

    private let numbers: [Int64]
    private let account: AccountOptions

    init(_ invocation: Invocation) {
        numbers = invocation[Self.numbers]
        account = AccountOptions(invocation)
    }

    /// Calls `body` with each number, and reports it: `event` in JSON, `words` for a person.
    func each(
        in app: CompositionRoot, _ console: Console, _ event: String, _ words: Sentence,
        _ body: (any SyncQueue, Int64) async throws -> Void
    ) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            for number in numbers {
                try await body(try practice.session.signedIn().queue, number)
                try console.tell("\(number) \(words).")
                try console.emit([event: number])
            }
        }
        return .done
    }
}
