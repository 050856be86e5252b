// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import Security
import SecuritySecretService
import TerminalKit

extension CompositionRoot {
    /// Asks for the passphrase of the app lock, and of a place that was locked elsewhere, until both are open; then
    /// seals the data that an older program, or an interrupted one, left unsealed.
    func unlock(_ place: some LockableStore, question: Sentence = "Passphrase of the app lock: ") async throws {
        while true {
            let header = try await place.lockedHeader()
            let isLocked = try await appLock.isLocked()
            guard isLocked || header != nil else { break }
            try paths.makeConfigurationFolder()
            let passphrase = try await SecretPrompt(console: console).passphrase(question)
            try await appLock.unlock(passphrase: passphrase, for: header)
        }
        try await place.seal()
    }

    /// The databases and the lines typed at prompts.
    var sealedData: SealedData {
        let history = PromptHistory(path: paths.chatInputs)
        return SealedData(
            folder: paths.data,
            files: .init(
                conversations: paths.conversations,
                databases: [
                    paths.practice, paths.httpCache, paths.vectors, paths.speechCache, paths.answers,
                    paths.settings, paths.sync,
                ],
                lines: { try history.rewrite($0) }),
            lock: appLock, logger: logger.with(category: "storage"), report: { console.warn(Sentence(verbatim: $0)) })
    }

    /// The seal of the databases, after asking for the passphrase if it is needed; nil without an app lock.
    func dataSeal() async throws -> DataSeal? {
        let data = sealedData
        try await unlock(data)
        return try await data.key()
    }

    /// The places that the app lock seals: the data, the keyring, if there is one, and the secrets file, unless a
    /// passphrase of its own seals it.
    func lockableStores() async throws -> [any LockableStore] {
        var stores: [any LockableStore] = [sealedData]
        if try await automaticStore() == .keyring {
            stores.append(LockedSecretStore(try await secretStore(.keyring, passphrase: nil), lock: appLock))
        }
        if FileManager.default.fileExists(atPath: paths.secrets) {
            do {
                stores.append(LockedSecretStore(try await secretStore(.file, passphrase: nil), lock: appLock))
            } catch let error as SecretStoreError where error.code == .wrongKey {
                console.progress("\(paths.secrets.printable) has a passphrase of its own and stays as it is.")
            }
        }
        return stores
    }

    /// The store of secrets of a kind.
    ///
    /// - Parameters:
    ///   - passphrase: For the file; without it a key file opens it.
    ///   - writes: False if a missing file is to be read as an empty one.
    func secretStore(
        _ kind: SecretStoreChoice.Kind, passphrase: Sensitive<[UInt8]>?, writes: Bool = true
    ) async throws -> any SecretStore {
        let keyring = SecretServiceStore(allowsPrompt: InputStream().isTerminal)
        switch kind {
        case .keyring: return keyring
        case .file:
            guard writes || !AppPaths.isMissing(paths.secrets) else { return InMemorySecretStore() }
            try paths.makeConfigurationFolder()
            let protection: FileSecretStore.Protection =
                passphrase.map { .passphrase($0, .standard) } ?? .keyFile(paths.secretsKey)
            return try await FileSecretStore.open(paths.secrets, protection: protection)
        case .auto:
            let kind = try await automaticStore()
            // The file is about to be made, so this is shown once and not at each call.
            if writes, kind == .file, !FileManager.default.fileExists(atPath: paths.secrets) {
                console.progress("No keyring here: secrets are in \(paths.secrets.printable).")
            }
            return try await secretStore(kind, passphrase: nil, writes: writes)
        }
    }

    /// The available kind of store: the keyring, or else the file.
    func automaticStore() async throws -> SecretStoreChoice.Kind {
        try await SecretStores.hasKeyring(allowsPrompt: InputStream().isTerminal) ? .keyring : .file
    }
}
