// SPDX-License-Identifier: MIT

/// The random key behind an app lock. It never changes while the lock is set; passphrases only seal it.
public struct AppLockKey: Sendable {
    static let envelope = Array("parley sealed 1\0".utf8)
    /// The number of bytes that sealing adds to a value.
    static let envelopeOverhead = envelope.count + AppLockHeader.idByteCount + AEAD.overhead

    let id: [UInt8]
    let secret: SymmetricKey

    /// A fresh key.
    init() throws {
        id = try SecureRandom.bytes(AppLockHeader.idByteCount)
        secret = try SymmetricKey()
    }

    init(id: [UInt8], secret: SymmetricKey) {
        (self.id, self.secret) = (id, secret)
    }

    /// A key for one purpose.
    public func key(for purpose: String) throws -> SymmetricKey {
        try HKDF.key(from: secret, salt: id, info: Array("parley app lock: \(purpose)".utf8))
    }

    /// Seals a secret's value, so that it opens under its name only.
    func seal(_ value: Sensitive<[UInt8]>, of name: SecretName) throws -> Sensitive<[UInt8]> {
        let head = Self.envelope + id
        let sealed = try value.withExposed {
            try AEAD(key: try key(for: "secrets")).seal($0, authenticating: Self.context(head, name))
        }
        return Sensitive(head + sealed)
    }

    /// Opens what ``seal(_:of:)`` sealed.
    ///
    /// - Throws: ``SecurityError`` with the code `authenticationFailed`.
    func open(_ sealed: Sensitive<[UInt8]>, of name: SecretName) throws -> Sensitive<[UInt8]> {
        try sealed.withExposed { bytes in
            let head = Self.envelope + id
            guard bytes.starts(with: head) else { throw SecurityError.authenticationFailed }
            return Sensitive(
                try AEAD(key: try key(for: "secrets")).open(
                    bytes[head.count...], authenticating: Self.context(head, name)))
        }
    }

    /// True if a value has the form of a sealed one.
    static func isEnvelope(_ value: Sensitive<[UInt8]>) -> Bool {
        value.withExposed { $0.count >= envelopeOverhead && $0.starts(with: envelope) }
    }

    private static func context(_ head: [UInt8], _ name: SecretName) -> [UInt8] {
        head + [UInt8(name.service.utf8.count)] + Array(name.service.utf8) + Array(name.account.utf8)
    }
}
