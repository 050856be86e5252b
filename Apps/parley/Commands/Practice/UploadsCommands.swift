// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// `parley uploads list`: what waits to be sent to the server.
struct UploadsListCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "list"],
        summary: "Show what waits to be sent to the server, and what is stuck, and why",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console, isOffline: true) { practice in
            let items = try await practice.waiting().items()
            if items.isEmpty { console.progress("Nothing waits.") }
            for item in items {
                let output = SyncItemOutput(item)
                try console.show(
                    "\(item.id)  \(output.work) \(output.name.prefix(8))  \(output.stage)"
                        + (item.attempts > 0 ? ", tried \(item.attempts) times" : "")
                        + (output.reason.map { ": \($0.printable)" } ?? ""))
                try console.emit(output)
            }
            if items.contains(where: { if case .stuck = $0.stage { true } else { false } }) {
                console.progress("Try again: parley uploads retry NUMBER. Give up: parley uploads discard NUMBER.")
            }
        }
        return .done
    }
}

/// `parley uploads send`: sends what waits, now.
struct UploadsSendCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "send"],
        summary: "Send what waits to the server, now",
        discussion: "parley service does so all the time.",
        options: [AccountOptions.server])

    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) { account = AccountOptions(invocation) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console) { practice in
            guard let worker = practice.worker else { throw DomainError.signInNeeded }
            let presenter = SyncPresenter(console: console)
            let left = try await worker.drain { await presenter.show($0) }
            presenter.close()
            try console.show(left == 0 ? "Everything is sent." : "\(left) still wait: parley uploads list")
            try console.emit(["waiting": left])
        }
        return .done
    }
}

/// `parley uploads retry`: tries stuck ones again.
struct UploadsRetryCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "retry"],
        summary: "Try again to send what is stuck",
        positionals: [UploadsCommands.numbers], options: [AccountOptions.server])

    private let numbers: [Int64]
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        numbers = try UploadsCommands.numbers(of: invocation)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console, isOffline: true) { practice in
            for number in numbers {
                try await practice.waiting().retry(number)
                try console.show("\(number) is tried again.")
                try console.emit(["retried": number])
            }
        }
        return .done
    }
}

/// `parley uploads discard`: gives stuck ones up.
struct UploadsDiscardCommand: Command {
    static let specification = CommandSpecification(
        path: ["uploads", "discard"],
        summary: "Give up sending what is stuck; it stays on this device",
        positionals: [UploadsCommands.numbers], options: [AccountOptions.server])

    private let numbers: [Int64]
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        numbers = try UploadsCommands.numbers(of: invocation)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, console: console, isOffline: true) { practice in
            for number in numbers {
                try await practice.waiting().discard(number)
                try console.show("\(number) is given up.")
                try console.emit(["discarded": number])
            }
        }
        return .done
    }
}

enum UploadsCommands {
    static let numbers = PositionalSpecification(
        name: "NUMBER", arity: .oneOrMore, help: "The number at the beginning of a line of parley uploads list")

    static func numbers(of invocation: Invocation) throws(UsageError) -> [Int64] {
        try invocation.positionals.map { word throws(UsageError) in
            guard let number = Int64(word) else {
                throw UsageError("\"\(word.printable)\" is no number of the list.", command: invocation.command)
            }
            return number
        }
    }
}
