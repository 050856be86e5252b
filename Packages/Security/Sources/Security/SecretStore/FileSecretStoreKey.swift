// SPDX-License-Identifier: MIT

import Concurrency

/// The key of a ``FileSecretStore`` from a passphrase or a key file.
enum FileSecretStoreKey {
    typealias Protection = FileSecretStore.Protection
    typealias KeySource = SecretFileHeader.KeySource

    /// The key for a new store; makes the key file if it is missing.
    static func fresh(for protection: Protection) throws -> (SymmetricKey, KeySource) {
        switch protection {
        case .passphrase(let passphrase, let parameters):
            let salt = try SecureRandom.bytes(Scrypt.saltByteCount)
            let key = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
            return (key, .passphrase(parameters, salt: salt))
        case .keyFile(let path):
            return try PrivateFile.withLock(on: path, exclusively: true) {
                do {
                    return (try read(path), .keyFile)
                } catch let error as SecurityError where error.code == .notFound {
                    let key = try SymmetricKey()
                    try PrivateFile.replace(path, with: key)
                    return (key, .keyFile)
                }
            }
        }
    }

    /// The key for an existing store. A missing key file is never made anew: a new key could not read the store.
    static func existing(for protection: Protection, source: KeySource, path: String) throws -> SymmetricKey {
        switch (protection, source) {
        case (.passphrase(let passphrase, _), .passphrase(let parameters, let salt)):
            return try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
        case (.keyFile(let keyPath), .keyFile):
            do {
                return try read(keyPath)
            } catch let error as SecurityError where error.code == .notFound {
                throw SecretStoreError(
                    code: .keyMissing,
                    message:
                        "The key file \(keyPath) is missing; without it \(path) cannot be read. Restore it from a backup."
                )
            }
        case (.passphrase, .keyFile):
            throw SecurityError(code: .wrongKey, message: "\(path) opens with a key file, not with a passphrase.")
        case (.keyFile, .passphrase):
            throw SecurityError(code: .wrongKey, message: "\(path) opens with a passphrase, not with a key file.")
        }
    }

    private static func read(_ path: String) throws -> SymmetricKey {
        let file = try PrivateFile(path, .read)
        guard try file.size() == SymmetricKey.byteCount else {
            throw SecurityError(
                code: .wrongKey, message: "\(path) is not a key file: it does not have \(SymmetricKey.byteCount) bytes."
            )
        }
        return try SymmetricKey { buffer in
            guard try file.read(at: 0, into: buffer) == buffer.count else {
                throw SecurityError(code: .inputOutput, message: "\(path) changed while it was read. Try again.")
            }
        }
    }
}
