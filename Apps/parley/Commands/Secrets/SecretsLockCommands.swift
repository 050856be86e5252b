// SPDX-License-Identifier: MIT

import Security

/// `parley secrets lock`: demands a passphrase from now on.
struct SecretsLockCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "lock"],
        summary: "Demand a passphrase before secrets can be used, or change it",
        discussion: """
            Wrong passphrases in a row cost more and more time. This is a gate, not encryption: who can change your files
            can take it away. --store file --passphrase encrypts.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let prompt = SecretPrompt(console: console)
        let lock = try app.appLock()
        if try await lock.isEnabled() {
            try await lock.unlock(passphrase: try await prompt.passphrase("Passphrase until now: "))
        }
        let passphrase = try await prompt.passphrase("New passphrase: ")
        let again = try await prompt.passphrase("Once more: ")
        guard passphrase.withExposed({ one in again.withExposed { one == $0 } }) else {
            throw UsageError("The two passphrases differ. Nothing was changed.", command: Self.specification)
        }
        try await lock.enable(passphrase: passphrase)
        console.progress("Secrets are now locked by a passphrase.")
        return .done
    }
}

/// `parley secrets unlock`: takes the passphrase away.
struct SecretsUnlockCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "unlock"],
        summary: "Demand no passphrase any more")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let lock = try app.appLock()
        guard try await lock.isEnabled() else {
            console.progress("There is no passphrase to take away.")
            return .done
        }
        let passphrase = try await SecretPrompt(console: console).passphrase("Passphrase: ")
        try await lock.unlock(passphrase: passphrase)
        try await lock.disable()
        console.progress("Secrets are no longer locked by a passphrase.")
        return .done
    }
}
