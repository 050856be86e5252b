// SPDX-License-Identifier: MIT

/// Seals blocks of a file, each at its position: AES-256-GCM with a key for each file, without a copy in between.
///
/// A sealed block is `nonce (12) ‖ ciphertext ‖ tag (16)`, as ``AEAD`` makes it. A block of another position does not
/// authenticate; an older block of the same position does. May be used from any thread.
public final class BlockCipher: Sendable {
    /// A value that identifies the key without revealing it, to tell a wrong key from a damaged file. 16 bytes.
    public let check: [UInt8]
    private let aead: AEAD

    /// The cipher of a file.
    ///
    /// - Parameters:
    ///   - key: May serve many files.
    ///   - salt: Random for each file.
    ///   - purpose: The kind of file.
    public init(key: SymmetricKey, salt: [UInt8], purpose: String) throws {
        let output = try SecureBytes(count: SymmetricKey.byteCount + 16) { buffer in
            try HKDF.derive(from: key, salt: salt, info: Array("parley blocks: \(purpose)".utf8), into: buffer)
        }
        (aead, check) = try output.withUnsafeBytes { bytes in
            let own = try SymmetricKey(UnsafeRawBufferPointer(rebasing: bytes[..<SymmetricKey.byteCount]))
            return (try AEAD(key: own), Array(bytes[SymmetricKey.byteCount...]))
        }
    }

    /// Seals a block into memory that is ``AEAD/overhead`` bytes longer; false if the cipher refuses, after 2³² blocks,
    /// say.
    public func seal(
        _ block: UnsafeRawBufferPointer, at place: UInt64, into sealed: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count == block.count + AEAD.overhead else { return false }
        return withUnsafeBytes(of: place.littleEndian) { place in
            (try? aead.seal(block, authenticating: place, into: sealed)) != nil
        }
    }

    /// Opens a block; false if it does not authenticate, and then `block` holds no byte of it.
    public func open(
        _ sealed: UnsafeRawBufferPointer, at place: UInt64, into block: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count == block.count + AEAD.overhead else { return false }
        return withUnsafeBytes(of: place.littleEndian) { place in
            (try? aead.open(sealed, authenticating: place, into: block)) != nil
        }
    }
}
