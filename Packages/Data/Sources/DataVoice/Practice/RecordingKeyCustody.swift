// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import FoundationEssentials
public import Security

/// The one key that seals all recordings of a folder, and its store.
///
/// The key is searched for in each store, since a keyring may exist only with the desktop. A new key is made only if
/// there is no recording that it would have to open; by one program at a time, so that none replaces the other's.
public struct RecordingKeyCustody: Sendable {
    /// Opens a store; it may ask for a passphrase.
    public typealias OpenStore = @Sendable () async throws -> any SecretStore

    private static let patience = Duration.seconds(600)

    private let folder: String
    private let lock: String
    private let stores: [OpenStore]

    /// Makes the custody of a folder's key.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recordings.
    ///   - lock: The path of a file that programs lock; its folder has to exist.
    ///   - stores: The stores in the order in which they are opened; a new key goes to the first.
    public init(folder: String, lock: String, stores: [OpenStore]) {
        self.folder = folder
        self.lock = lock
        self.stores = stores
    }

    /// The folder, with its key.
    ///
    /// - Throws: `DomainError.unusable(.keyMissing)` if there are recordings and no store has their key; what opening a store throws;
    ///   `CancellationError`.
    public func open() async throws -> SealedRecordingFolder {
        let name = try SecretName(service: "parley", account: "recordings")
        let held = try await wait()
        defer { held.release() }
        for open in stores {
            guard let secret = try await open().value(for: name) else { continue }
            return try SealedRecordingFolder(path: folder, key: try secret.withExposed { try SymmetricKey($0) })
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard !files.contains(where: { $0.hasSuffix(".sealed") }), let first = stores.first else {
            throw DomainError.unusable(.keyMissing(folder: folder))
        }
        let key = try SymmetricKey()
        try await first().set(Sensitive(key.withUnsafeBytes { Array($0) }), for: name)
        return try SealedRecordingFolder(path: folder, key: key)
    }

    /// Waits for as long as a person may need to answer another program's question about a passphrase.
    private func wait() async throws -> FileLock {
        do {
            if let held = try await FileLock.wait(for: lock, atMost: Self.patience) { return held }
        } catch is FileError {
            throw DomainError.file("\(lock) cannot be made. Look at the permissions of its folder.")
        }
        throw DomainError.storage("Another program holds \(lock). End it, then try again.")
    }
}
