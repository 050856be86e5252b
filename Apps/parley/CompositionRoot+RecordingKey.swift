// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import FoundationEssentials
import Glibc
import Security

extension CompositionRoot {
    /// The folder of the recordings, with the one key that all of them are sealed with.
    ///
    /// It is looked for in each store that there is, since a keyring may come and go with the desktop, and is made only where
    /// there is nothing yet that it would have to open; by one program at a time, or one would replace the other's.
    ///
    /// - Parameter preferred: Where it is looked for first, and made.
    func recordingFolder(
        _ preferred: SecretStoreChoice.Kind, _ console: Console
    ) async throws -> SealedRecordingFolder {
        let name = try SecretName(service: "parley", account: "recordings")
        let kinds = try await keyStores(preferred)
        let lock = try await Self.locked(paths.data + "/recordings.lock")
        defer { close(lock) }
        for kind in kinds {
            let store = try await SecretStoreChoice(kind).open(in: self, console: console)
            guard let secret = try await store.value(for: name) else { continue }
            return try SealedRecordingFolder(
                path: paths.recordings, key: try secret.withExposed { try SymmetricKey($0) })
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: paths.recordings)) ?? []
        guard !files.contains(where: { $0.hasSuffix(".sealed") }) else {
            throw DomainError.storage(
                "The key of the recordings in \(paths.recordings.printable) is not here. Run parley in the desktop session "
                    + "whose keyring has it, or bring the secrets file back; or move the recordings away to begin anew."
            )
        }
        let key = try SymmetricKey()
        let store = try await SecretStoreChoice(kinds[0]).open(in: self, console: console)
        try await store.set(Sensitive(key.withUnsafeBytes { Array($0) }), for: name)
        return try SealedRecordingFolder(path: paths.recordings, key: key)
    }

    private func keyStores(_ preferred: SecretStoreChoice.Kind) async throws -> [SecretStoreChoice.Kind] {
        let automatic = try await automaticStore()
        let first = preferred == .auto ? automatic : preferred
        let hasFile = FileManager.default.fileExists(atPath: paths.secrets)
        let there = [SecretStoreChoice.Kind.keyring, .file].filter { $0 == .keyring ? automatic == .keyring : hasFile }
        return [first] + there.filter { $0 != first }
    }

    /// Waits until no other program holds the file, which holds nothing; closing the descriptor gives it back.
    private static func locked(_ path: String) async throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DomainError.file("\(path.printable) cannot be made. Look at the permissions of its folder.")
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            do { try await Task.sleep(for: .milliseconds(20)) } catch {
                close(descriptor)
                throw error
            }
        }
        return descriptor
    }
}
