// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Security

extension CompositionRoot {
    /// Asks for the passphrase of the app lock, and of a store that was locked elsewhere, until both are open; then seals what
    /// an older program, or one that was broken off, left unsealed.
    func unlock(
        _ store: LockedSecretStore, console: Console, question: String = "Passphrase of the app lock: "
    ) async throws {
        try paths.makeConfigurationFolder()
        while true {
            let header = try await store.lockedHeader()
            let isLocked = try await appLock.isLocked()
            guard isLocked || header != nil else { break }
            let passphrase = try await SecretPrompt(console: console).passphrase(question)
            try await appLock.unlock(passphrase: passphrase, for: header)
        }
        try await store.seal()
    }

    /// The stores that the app lock seals: the keyring, if there is one, and the file, unless a passphrase of its own seals it.
    func lockableStores() async throws -> [LockedSecretStore] {
        var stores: [LockedSecretStore] = []
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
}
