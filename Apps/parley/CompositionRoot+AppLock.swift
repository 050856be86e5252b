// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import Security

extension CompositionRoot {
    /// Asks for the passphrase of the app lock, and of a place that was locked elsewhere, until both are open; then
    /// seals the data that an older program, or an interrupted one, left unsealed.
    func unlock(
        _ place: some LockedPlace, console: Console, question: String = "Passphrase of the app lock: "
    ) async throws {
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
    func sealedData(_ console: Console) -> SealedData {
        let history = PromptHistory(path: paths.chatInputs)
        return SealedData(
            folder: paths.data,
            files: .init(
                conversations: paths.conversations, databases: [paths.practice, paths.httpCache, paths.vectors],
                lines: { try history.rewrite($0) }),
            lock: appLock, logger: logger.with(category: "storage"), report: { console.warn($0) })
    }

    /// The seal of the databases, after asking for the passphrase if it is needed; nil without an app lock.
    func dataSeal(_ console: Console) async throws -> DataSeal? {
        let data = sealedData(console)
        try await unlock(data, console: console)
        return try await data.key()
    }

    /// The places that the app lock seals: the data, the keyring, if there is one, and the secrets file, unless a
    /// passphrase of its own seals it.
    func lockablePlaces() async throws -> [any LockedPlace] {
        var stores: [any LockedPlace] = [sealedData(console)]
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
