// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials

/// Keeps secrets in one encrypted file, for machines without a secret service.
///
/// The file has the mode 0600 and is replaced as a whole: after a crash or on a full disk it is as it was before.
/// Several programs may use one file; a file beside it (`.lock`) serialises them. Files of other users, files that
/// others can read, and links are refused. An older whole file in the place of a newer one is not detected. Calls run
/// one after another on a queue of the store's own.
public actor FileSecretStore: SecretStore {
    /// The source of the key.
    public enum Protection: Sendable {
        /// A passphrase. The parameters are for a new file; an existing one holds its own.
        case passphrase(Sensitive<[UInt8]>, ScryptParameters = .standard)
        /// A file of 32 random bytes and the mode 0600, which is made with a new store. It protects the secrets if it
        /// lies on another medium or outside the backup; beside the store it keeps them out of sight only.
        case keyFile(String)
    }

    /// The largest file that is read, in bytes.
    static let fileLimit = 16 << 20

    private let executor = QueueExecutor(label: "parley.security.secret-store")
    private let path: String
    private var key: SymmetricKey
    private var source: SecretFileHeader.KeySource

    /// The queue that the calls run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, or makes it with its folder. A passphrase takes about a third of a second.
    ///
    /// - Throws: ``SecretStoreError``: `wrongKey`, `keyMissing`, `damaged`, `newer`, `insecureFile`, `permission`,
    ///   `diskFull`, `busy`, `inputOutput`, `invalidParameter`.
    public static func open(_ path: String, protection: Protection) async throws -> FileSecretStore {
        try await BlockingCall.run {
            try SecretStoreError.translating { try FileSecretStore(path, protection) }
        }
    }

    private init(_ path: String, _ protection: Protection) throws {
        self.path = path
        try Self.makeFolder(of: path)
        (key, source) = try PrivateFile.withLock(on: path, exclusively: true) {
            guard let file = try Self.contents(of: path) else {
                let (key, source) = try FileSecretStoreKey.fresh(for: protection)
                try Self.write(SecretEntries(), to: path, key: key, source: source)
                return (key, source)
            }
            let header = try SecretFileHeader(parsing: file, path: path)
            let key = try FileSecretStoreKey.existing(for: protection, source: header.source, path: path)
            _ = try Self.entries(of: file, header, path: path, key: key)
            return (key, header.source)
        }
    }

    /// Stores a value.
    public func set(_ value: Sensitive<[UInt8]>, for name: SecretName) throws {
        try SecretLimit.check(value)
        try change { $0.values[name] = value }
    }

    /// The value of a name.
    public func value(for name: SecretName) throws -> Sensitive<[UInt8]>? { try read().values[name] }

    /// Deletes a name's value.
    @discardableResult
    public func delete(_ name: SecretName) throws -> Bool {
        // Without a change there is no write.
        guard try read().values[name] != nil else { return false }
        return try change { $0.values.removeValue(forKey: name) != nil }
    }

    /// The names in their order.
    public func names(service: String?) throws -> [SecretName] { try read().values.keys.names(of: service) }

    /// Seals the store with another passphrase or key file. Other programs that have it open get `wrongKey` from then
    /// on. Backups and remains of the old file on the disk open with the old key.
    public func changeProtection(to protection: Protection) throws {
        try SecretStoreError.translating {
            let (newKey, newSource) = try FileSecretStoreKey.fresh(for: protection)
            try PrivateFile.withLock(on: path, exclusively: true) {
                try Self.write(loadLocked(), to: path, key: newKey, source: newSource)
            }
            (key, source) = (newKey, newSource)
        }
    }

    private func read() throws -> SecretEntries {
        try SecretStoreError.translating {
            try PrivateFile.withLock(on: path, exclusively: false) { try loadLocked() }
        }
    }

    private func change<Result>(_ body: (inout SecretEntries) throws -> Result) throws -> Result {
        try SecretStoreError.translating {
            try PrivateFile.withLock(on: path, exclusively: true) {
                var entries = try loadLocked()
                let result = try body(&entries)
                try Self.write(entries, to: path, key: key, source: source)
                return result
            }
        }
    }

    private func loadLocked() throws -> SecretEntries {
        guard let file = try Self.contents(of: path) else {
            throw SecurityError(
                code: .damaged,
                message: "\(path) was removed while it was in use. Open the store again to make a new one.")
        }
        let header = try SecretFileHeader(parsing: file, path: path)
        guard header.source == source else {
            throw SecurityError(
                code: .wrongKey, message: "The passphrase of \(path) was changed by another program. Open it again.")
        }
        return try Self.entries(of: file, header, path: path, key: key)
    }

    private static func contents(of path: String) throws -> [UInt8]? {
        do {
            return try PrivateFile.contents(of: path, limit: fileLimit)
        } catch let error as SecurityError where error.code == .notFound {
            return nil
        }
    }

    private static func entries(
        of file: [UInt8], _ header: SecretFileHeader, path: String, key: SymmetricKey
    ) throws -> SecretEntries {
        let aead = try AEAD(key: try header.writeKey(from: key, path: path))
        do {
            let plain = try aead.openSecurely(file.dropFirst(SecretFileHeader.byteCount), authenticating: header.bytes)
            return try plain.withUnsafeBytes { try SecretEntries(parsing: $0) }
        } catch let error as SecurityError where [.authenticationFailed, .damaged].contains(error.code) {
            throw SecurityError(
                code: .damaged, message: "\(path) is damaged. Nothing was changed; restore it from a backup.")
        }
    }

    private static func write(
        _ entries: SecretEntries, to path: String, key: SymmetricKey, source: SecretFileHeader.KeySource
    ) throws {
        // Each write has its own key and a single message, so a nonce cannot repeat.
        let (header, writeKey) = try SecretFileHeader.make(source: source, key: key)
        let plain = try entries.encoded()
        let sealed = try plain.withUnsafeBytes { try AEAD(key: writeKey).seal($0, authenticating: header.bytes) }
        let content = header.bytes + sealed
        guard content.count <= fileLimit else {
            throw SecurityError(
                code: .diskFull, message: "A store has at most 16 MiB. Delete secrets from \(path) first.")
        }
        try PrivateFile.replace(path, with: content)
    }

    private static func makeFolder(of path: String) throws {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: String(path[..<slash]), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw SecurityError(
                code: .permission, message: "The folder of \(path) does not exist and cannot be created: \(error).")
        }
    }
}
