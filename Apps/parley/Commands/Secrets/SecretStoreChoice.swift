// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Security
import TerminalKit

/// The store that the secrets commands use, and the way to open it.
struct SecretStoreChoice {
    /// The kinds of store.
    enum Kind: String, CaseIterable, Codable {
        case auto
        case keyring
        case file
    }

    static let store = ValueOption<Kind>(
        "store", placeholder: "KIND", help: "auto: the desktop's keyring, or else the file; keyring; file",
        choices: Kind.allCases)

    private static let passphrase = Flag("passphrase", help: "Seal the file with a passphrase instead of a key file")
    static let options: [any CommandOption] = [store, passphrase]

    let kind: Kind
    let asksPassphrase: Bool

    /// A stored choice, without a passphrase of its own.
    init(_ kind: Kind) {
        (self.kind, asksPassphrase) = (kind, false)
    }

    init(_ invocation: Invocation) throws(UsageError) {
        asksPassphrase = invocation.has(Self.passphrase)
        kind = invocation[Self.store] ?? (asksPassphrase ? .file : .auto)
        guard !asksPassphrase || kind == .file else {
            throw UsageError("--passphrase is for --store file.", command: invocation.command)
        }
    }

    /// The chosen store, behind the app lock, which asks for its passphrase if it is set.
    ///
    /// - Parameter writes: False if nothing is stored, so that a missing file is not made.
    func open(in app: CompositionRoot, writes: Bool = true) async throws -> LockedSecretStore {
        var passphrase: Sensitive<[UInt8]>?
        if asksPassphrase, writes || !AppPaths.isMissing(app.paths.secrets) {
            passphrase = try await SecretPrompt(console: app.console).passphrase("Passphrase of the secrets file: ")
        }
        let store = LockedSecretStore(
            try await app.secretStore(kind, passphrase: passphrase, writes: writes), lock: app.appLock)
        try await app.unlock(store)
        return store
    }

    /// A name from the command line: `SERVICE/ACCOUNT`, or `SERVICE` alone for its account `default`.
    static func name(_ text: String) throws -> SecretName {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return try SecretName(service: parts[0], account: parts.count > 1 ? parts[1] : "default")
    }
}

/// The error for a secret that does not exist.
struct SecretNotFound: Error {
    let name: SecretName

    var sentence: Sentence { "There is no secret \(name.description.printable). parley secrets list shows the names." }
}
