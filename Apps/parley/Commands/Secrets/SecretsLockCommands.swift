// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Security

/// `parley secrets lock`: sets the app lock's passphrase.
struct SecretsLockCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "lock"],
        summary: "Demand a passphrase before secrets and the history can be used, or change it",
        discussion: """
            The passphrase seals the secrets, the history and what was practised where they lie: no other program, home
            folder or copy of the files gets at them without it. What is asked while it was not given is added to the
            history by the next program that has it. Nobody can restore a passphrase that is forgotten. Wrong passphrases
            in a row cost more and more time.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let prompt = SecretPrompt(console: console)
        try app.paths.makeConfigurationFolder()
        let places = try await app.lockableStores()
        for place in places { try await app.unlock(place, question: "Passphrase until now: ") }
        if try await app.appLock.isLocked() {
            try await app.appLock.unlock(passphrase: try await prompt.passphrase("Passphrase until now: "))
        }
        let passphrase = try await prompt.passphrase("New passphrase: ")
        let again = try await prompt.passphrase("Once more: ")
        guard passphrase.withExposed({ one in again.withExposed { one == $0 } }) else {
            throw UsageError("The two passphrases differ. Nothing was changed.", command: Self.specification)
        }
        // The lock is set first: if the program ends early, the next use seals the rest.
        try await app.appLock.enable(passphrase: passphrase)
        for place in places { try await place.seal() }
        console.progress("Secrets and everything stored are now locked by a passphrase.")
        return .done
    }
}

/// `parley secrets unlock`: removes the app lock's passphrase.
struct SecretsUnlockCommand: Command {
    static let specification = CommandSpecification(
        path: ["secrets", "unlock"],
        summary: "Demand no passphrase any more")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let places = try await app.lockableStores()
        var isLocked = try await app.appLock.isEnabled()
        for place in places where try await place.lockedHeader() != nil { isLocked = true }
        guard isLocked else {
            console.progress("There is no passphrase to take away.")
            return .done
        }
        try app.paths.makeConfigurationFolder()
        for place in places { try await app.unlock(place, question: "Passphrase: ") }
        if try await app.appLock.isLocked() {
            let passphrase = try await SecretPrompt(console: console).passphrase("Passphrase: ")
            try await app.appLock.unlock(passphrase: passphrase)
        }
        // The lock is removed last: if the program ends early, it still opens the sealed rest.
        for place in places { try await place.unseal() }
        try await app.appLock.disable()
        console.progress("Nothing is locked by a passphrase any more.")
        return .done
    }
}
