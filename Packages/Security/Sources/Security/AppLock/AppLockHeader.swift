// SPDX-License-Identifier: MIT

/// The key of an app lock, sealed under its passphrase. Each store that is sealed with the key holds a copy, so that a
/// passphrase opens the store wherever it is found. The README has the format byte by byte.
public struct AppLockHeader: Sendable, Equatable {
    static let byteCount = magic.count + 8 + idByteCount + Scrypt.saltByteCount + SymmetricKey.byteCount + AEAD.overhead
    static let idByteCount = 16
    private static let magic = Array("PARLEYAL".utf8)
    private static let sealedStart = byteCount - SymmetricKey.byteCount - AEAD.overhead

    let bytes: [UInt8]

    /// The key's id; it stays when the passphrase changes.
    var id: [UInt8] { Array(bytes[16..<32]) }
    /// The number of earlier passphrases of the key; of two headers of one key, the one with the larger number counts.
    var generation: UInt32 { bytes[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Reads a header.
    ///
    /// - Throws: ``SecurityError``: `damaged`, `newer`.
    init(parsing bytes: [UInt8]) throws {
        guard bytes.starts(with: Self.magic), bytes.count > 8 else { throw Self.damaged }
        guard bytes[8] == 1 else {
            throw SecurityError(
                code: .newer, message: "The app lock has version \(bytes[8]) of its format. Use a newer program.")
        }
        self.bytes = bytes
        guard bytes.count == Self.byteCount, (try? parameters()) != nil else { throw Self.damaged }
    }

    /// Seals a key under a passphrase.
    init(key: AppLockKey, generation: UInt32, passphrase: Sensitive<[UInt8]>, parameters: ScryptParameters) throws {
        let salt = try SecureRandom.bytes(Scrypt.saltByteCount)
        let open =
            Self.magic + [1, parameters.costExponent, parameters.blockSize, parameters.parallelization]
            + (0..<4).map { UInt8(truncatingIfNeeded: generation >> (8 * $0)) } + key.id + salt
        let wrapping = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
        bytes = open + (try AEAD(key: wrapping).seal(key.secret, authenticating: open))
    }

    /// The key; nil for another passphrase or a changed header. Takes as long as the parameters say.
    func key(ifOpenedBy passphrase: Sensitive<[UInt8]>) throws -> AppLockKey? {
        guard passphrase.withExposed({ !$0.isEmpty }) else { return nil }
        let salt = Array(bytes[32..<Self.sealedStart])
        let parameters = try parameters()
        let wrapping = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
        do {
            let secret = try AEAD(key: wrapping).openSecurely(
                bytes[Self.sealedStart...], authenticating: Array(bytes[..<Self.sealedStart]))
            return AppLockKey(id: id, secret: try secret.withUnsafeBytes { try SymmetricKey($0) })
        } catch let error as SecurityError where error.code == .authenticationFailed { return nil }
    }

    private func parameters() throws -> ScryptParameters {
        try ScryptParameters(costExponent: bytes[9], blockSize: bytes[10], parallelization: bytes[11])
    }

    static let damaged = SecurityError(
        code: .damaged, message: "The header of the app lock is damaged, so what it seals stays sealed. Restore it.")
}
