// SPDX-License-Identifier: MIT

public import Security

/// The public keys of a device, or of the recovery phrase.
public struct PublicKeys: Sendable, Hashable {
    /// Verifies what the device signs.
    public let signing: Ed25519.PublicKey
    /// Seals keys for the device.
    public let agreement: X25519.PublicKey

    static let byteCount = 64

    /// The id that the keys give.
    public var device: DeviceID {
        get throws(SyncError) {
            let hash = try Crypto.hash(signing.bytes + agreement.bytes)
            guard let id = DeviceID(Array(hash.prefix(16))) else { throw .invalid("a hash is too short") }
            return id
        }
    }

    var bytes: [UInt8] { signing.bytes + agreement.bytes }

    init(signing: Ed25519.PublicKey, agreement: X25519.PublicKey) {
        self.signing = signing
        self.agreement = agreement
    }

    init(_ bytes: [UInt8]) throws(SyncError) {
        guard bytes.count == Self.byteCount, let signing = try? Ed25519.PublicKey(Array(bytes[..<32])),
            let agreement = try? X25519.PublicKey(Array(bytes[32...]))
        else { throw .invalid("a public key is not one") }
        self.init(signing: signing, agreement: agreement)
    }
}

/// The secret keys of a device, or of the recovery phrase.
public struct SecretKeys: Sendable, Redacted {
    let signing: Ed25519.PrivateKey
    let agreement: X25519.PrivateKey

    /// Fresh keys.
    ///
    /// - Throws: ``SyncError`` with the code `store` when the system has no randomness.
    public init() throws(SyncError) {
        (signing, agreement) = try Crypto.failing { (try Ed25519.PrivateKey(), try X25519.PrivateKey()) }
    }

    /// The keys that ``stored`` gave.
    ///
    /// - Throws: ``SyncError`` with the code `invalid` unless they have 64 bytes.
    public init(stored: Sensitive<[UInt8]>) throws(SyncError) {
        let keys: (Ed25519.PrivateKey, X25519.PrivateKey)? = stored.withExposed { bytes in
            guard bytes.count == 64, let signing = try? Ed25519.PrivateKey(Array(bytes[..<32])),
                let agreement = try? X25519.PrivateKey(Array(bytes[32...]))
            else { return nil }
            return (signing, agreement)
        }
        guard let keys else { throw .invalid("the stored keys are not whole") }
        (signing, agreement) = keys
    }

    init(signing: Ed25519.PrivateKey, agreement: X25519.PrivateKey) {
        self.signing = signing
        self.agreement = agreement
    }

    /// The keys as bytes, for a `SecretStore`.
    public var stored: Sensitive<[UInt8]> {
        get throws(SyncError) {
            try Crypto.failing {
                Sensitive(try signing.withUnsafeBytes { Array($0) } + agreement.withUnsafeBytes { Array($0) })
            }
        }
    }

    /// The public half.
    public var publicKeys: PublicKeys { PublicKeys(signing: signing.publicKey, agreement: agreement.publicKey) }
}
