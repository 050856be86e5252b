// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The first 64 bytes of a sealed file, and the key that belongs to them. The README has the format byte by byte.
struct SealedFileHeader: Equatable {
    static let byteCount = 64
    static let magic = Array("PARLEYSF".utf8)
    static let version: UInt8 = 1
    /// AES-256-GCM in chunks, keys by HKDF-SHA256.
    static let algorithm: UInt8 = 1
    static let chunkExponents: ClosedRange<UInt8> = 12...20
    private static let fixedByteCount = 16
    private static let saltByteCount = 32
    private static let label = Array("parley sealed file".utf8)

    let bytes: [UInt8]

    /// The plaintext bytes of every chunk but the last.
    var chunkByteCount: Int { 1 << Int(bytes[10]) }

    private var salt: ArraySlice<UInt8> { bytes[Self.fixedByteCount..<(Self.fixedByteCount + Self.saltByteCount)] }

    /// A header for a new file, and the file's key.
    static func make(key: SymmetricKey, context: [UInt8], chunkExponent: UInt8) throws -> (Self, SymmetricKey) {
        var bytes = magic + [version, algorithm, chunkExponent]
        bytes += [UInt8](repeating: 0, count: fixedByteCount - bytes.count)
        bytes += try SecureRandom.bytes(saltByteCount)
        let header = Self(bytes: bytes)
        let (fileKey, check) = try header.derive(from: key, context: context)
        return (Self(bytes: bytes + check), fileKey)
    }

    /// Reads a header.
    ///
    /// - Throws: ``SecurityError``: `damaged` for an invalid header, `newer` for an unknown version.
    init(parsing bytes: [UInt8], path: String) throws {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic), bytes[8] != 0 else {
            throw SecurityError(code: .damaged, message: "\(path) is not a sealed file, or its beginning is damaged.")
        }
        guard bytes[8] == Self.version else {
            throw SecurityError(
                code: .newer, message: "\(path) has version \(bytes[8]) of its format. Open it with a newer program.")
        }
        guard bytes[9] == Self.algorithm, Self.chunkExponents.contains(bytes[10]),
            bytes[11..<Self.fixedByteCount].allSatisfy({ $0 == 0 })
        else { throw SecurityError(code: .damaged, message: "The beginning of \(path) is damaged.") }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The file's key.
    ///
    /// - Throws: ``SecurityError`` with the code `wrongKey` if the header's check value does not match the key.
    func fileKey(from key: SymmetricKey, context: [UInt8], path: String) throws -> SymmetricKey {
        let (fileKey, check) = try derive(from: key, context: context)
        guard ConstantTime.areEqual(check, Array(bytes.suffix(check.count))) else {
            throw SecurityError(
                code: .wrongKey,
                message: "\(path) was sealed with another key or for another purpose, or its beginning was changed.")
        }
        return fileKey
    }

    /// 32 bytes of key and 16 bytes that commit the file to it: GCM by itself lets one file open under two keys.
    private func derive(from key: SymmetricKey, context: [UInt8]) throws -> (key: SymmetricKey, check: [UInt8]) {
        let output = try SecureBytes(count: SymmetricKey.byteCount + 16) { buffer in
            try HKDF.derive(
                from: key, salt: Data(salt), info: Self.label + bytes.prefix(Self.fixedByteCount) + context,
                into: buffer)
        }
        return try output.withUnsafeBytes { bytes in
            let check = Array(bytes[SymmetricKey.byteCount...])
            return (try SymmetricKey(UnsafeRawBufferPointer(rebasing: bytes[..<SymmetricKey.byteCount])), check)
        }
    }
}
