// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The first 96 bytes of a ``FileSecretStore``'s file. The README has the format byte by byte.
struct SecretFileHeader {
    enum KeySource: Equatable {
        case passphrase(ScryptParameters, salt: [UInt8])
        case keyFile
    }

    static let byteCount = 96
    private static let magic = Array("PARLEYSS".utf8)
    private static let label = Array("parley secret store".utf8)
    private static let identityByteCount = 32
    private static let saltEnd = 64
    private static let checkEnd = 80

    let bytes: [UInt8]
    let source: KeySource

    /// The bytes that stay the same until the passphrase is changed.
    var identity: ArraySlice<UInt8> { bytes.prefix(Self.identityByteCount) }

    /// A header for the next write, and that write's own key.
    static func make(source: KeySource, key: SymmetricKey) throws -> (header: Self, writeKey: SymmetricKey) {
        var bytes = magic + [1]
        switch source {
        case .passphrase(let parameters, let salt):
            bytes += [1, parameters.costExponent, parameters.blockSize, parameters.parallelization, 0, 0, 0] + salt
        case .keyFile:
            bytes += [2] + [UInt8](repeating: 0, count: identityByteCount - 10)
        }
        bytes += try SecureRandom.bytes(saltEnd - identityByteCount)
        let (writeKey, check) = try derive(from: key, bytes)
        bytes += check
        bytes += try SHA256.hash(bytes).prefix(byteCount - checkEnd)
        return (Self(bytes: bytes, source: source), writeKey)
    }

    private init(bytes: [UInt8], source: KeySource) {
        self.bytes = bytes
        self.source = source
    }

    /// Reads a header.
    ///
    /// - Throws: ``SecurityError``: `damaged` if it is invalid or was changed by accident, `newer` for an unknown
    ///   version.
    init(parsing file: [UInt8], path: String) throws {
        bytes = Array(file.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw SecurityError(
                code: .damaged,
                message:
                    "\(path) is not a store of secrets, or its beginning is damaged. Restore it from a backup, or move it "
                    + "away and enter the secrets again.")
        }
        guard bytes[8] == 1 else {
            throw SecurityError(
                code: .newer, message: "\(path) has version \(bytes[8]) of its format. Open it with a newer program.")
        }
        // Tells an accident from a wrong passphrase; deliberate damage can look like either.
        guard ConstantTime.areEqual(try SHA256.hash(bytes.prefix(Self.checkEnd)).prefix(16), bytes.suffix(16)) else {
            throw SecurityError(code: .damaged, message: "The beginning of \(path) is damaged. Nothing was changed.")
        }
        let salt = Array(bytes[16..<Self.identityByteCount])
        switch bytes[9] {
        case 1:
            let parameters = try? ScryptParameters(
                costExponent: bytes[10], blockSize: bytes[11], parallelization: bytes[12])
            guard let parameters else {
                throw SecurityError(code: .damaged, message: "\(path) asks for more work than a passphrase may take.")
            }
            source = .passphrase(parameters, salt: salt)
        case 2: source = .keyFile
        default: throw SecurityError(code: .damaged, message: "The beginning of \(path) is damaged.")
        }
    }

    /// The key of this write.
    ///
    /// - Throws: ``SecurityError`` with the code `wrongKey` if `key` is not the store's.
    func writeKey(from key: SymmetricKey, path: String) throws -> SymmetricKey {
        let (writeKey, check) = try Self.derive(from: key, bytes)
        guard ConstantTime.areEqual(check, bytes[Self.saltEnd..<Self.checkEnd]) else {
            throw SecurityError(
                code: .wrongKey,
                message: source == .keyFile
                    ? "The key file is not the one that \(path) was made with."
                    : "The passphrase is not the one of \(path).")
        }
        return writeKey
    }

    private static func derive(from key: SymmetricKey, _ bytes: [UInt8]) throws -> (SymmetricKey, [UInt8]) {
        let output = try SecureBytes(count: SymmetricKey.byteCount + checkEnd - saltEnd) { buffer in
            try HKDF.derive(
                from: key, salt: bytes[identityByteCount..<saltEnd], info: label + bytes.prefix(identityByteCount),
                into: buffer)
        }
        return try output.withUnsafeBytes { bytes in
            let check = Array(bytes[SymmetricKey.byteCount...])
            return (try SymmetricKey(UnsafeRawBufferPointer(rebasing: bytes[..<SymmetricKey.byteCount])), check)
        }
    }
}
