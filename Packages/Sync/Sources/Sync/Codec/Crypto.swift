// SPDX-License-Identifier: MIT

import Security

/// Security's calls with this package's error, and the labels that keep the uses of one key apart.
enum Crypto {
    /// The purpose of a derived key, a signature or a hash. Each begins what is derived, signed or hashed with it.
    enum Label: String {
        case entry = "parley sync 1 entry"
        case head = "parley sync 1 head"
        case key = "parley sync 1 key"
        case log = "parley sync 1 log"
        case membership = "parley sync 1 membership"
        case pairing = "parley sync 1 pairing"
        case recovery = "parley sync 1 recovery"
        case secrets = "parley sync 1 secrets"
        case snapshot = "parley sync 1 snapshot"
        case wrap = "parley sync 1 wrap"

        /// The label and a zero byte, which no label has.
        var bytes: [UInt8] { Array(rawValue.utf8) + [0] }
    }

    static func hash(_ message: [UInt8]) throws(SyncError) -> [UInt8] {
        try failing { try SHA256.hash(message) }
    }

    static func derive(_ label: Label, from key: SymmetricKey, salt: [UInt8]) throws(SyncError) -> SymmetricKey {
        try failing { try HKDF.key(from: key, salt: salt, info: label.bytes) }
    }

    static func box(_ key: SymmetricKey) throws(SyncError) -> AEAD { try failing { try AEAD(key: key) } }

    static func open(_ sealed: [UInt8], with box: AEAD, context: [UInt8]) throws(SyncError) -> [UInt8] {
        guard let message = try? box.open(sealed, authenticating: context) else {
            throw .invalid("the seal does not fit")
        }
        return message
    }

    static func seal(_ message: [UInt8], with box: AEAD, context: [UInt8]) throws(SyncError) -> [UInt8] {
        try failing { try box.seal(message, authenticating: context) }
    }

    static func sign(
        _ label: Label, _ message: [UInt8], with key: Ed25519.PrivateKey
    ) throws(SyncError) -> [UInt8] {
        try failing { try key.sign(label.bytes + message) }
    }

    static func isValid(_ label: Label, _ signature: [UInt8], of message: [UInt8], by key: Ed25519.PublicKey) -> Bool {
        key.isValid(signature: signature, for: label.bytes + message)
    }

    /// Seals a key for the owner of an agreement key: ephemeral X25519 (RFC 7748), HKDF-SHA256, AES-256-GCM.
    static func wrap(
        _ key: SymmetricKey, for recipient: X25519.PublicKey, by ephemeral: X25519.PrivateKey, context: [UInt8]
    ) throws(SyncError) -> [UInt8] {
        try failing {
            let shared = try ephemeral.sharedKey(
                with: recipient, salt: ephemeral.publicKey.bytes + recipient.bytes, info: Label.wrap.bytes)
            return try AEAD(key: shared).seal(key, authenticating: context)
        }
    }

    static func unwrap(
        _ wrapped: [UInt8], from ephemeral: X25519.PublicKey, by recipient: X25519.PrivateKey, context: [UInt8]
    ) throws(SyncError) -> SymmetricKey {
        do {
            let shared = try recipient.sharedKey(
                with: ephemeral, salt: ephemeral.bytes + recipient.publicKey.bytes, info: Label.wrap.bytes)
            return try SymmetricKey(AEAD(key: shared).open(wrapped, authenticating: context))
        } catch {
            throw .invalid("a wrapped key does not open")
        }
    }

    static func failing<Value>(_ body: () throws -> Value) throws(SyncError) -> Value {
        do {
            return try body()
        } catch let error as SyncError {
            throw error
        } catch {
            throw SyncError(code: .store, message: "The cryptography of this machine failed.", underlying: error)
        }
    }
}
