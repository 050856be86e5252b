// SPDX-License-Identifier: MIT

/// Seals and opens single blocks of a database file. The SQLite VFS calls it from several threads at once.
public protocol PageCipher: Sendable {
    /// Encrypts and authenticates `block` into `sealed`, which is ``DatabaseSeal/overhead`` bytes longer.
    ///
    /// - Parameter context: The position of the block: it opens only there.
    /// - Returns: false when the cipher refused; nothing is written then.
    func seal(
        _ block: UnsafeRawBufferPointer, at context: UInt64, into sealed: UnsafeMutableRawBufferPointer
    ) -> Bool

    /// Decrypts a block that ``seal(_:at:into:)`` made; false when it does not authenticate.
    func open(
        _ sealed: UnsafeRawBufferPointer, at context: UInt64, into block: UnsafeMutableRawBufferPointer
    ) -> Bool
}

/// Makes the cipher of a database file, which has a key of its own by its salt.
public struct DatabaseSeal: Sendable {
    /// The bytes that sealing adds to a block: a nonce of 12 bytes and a tag of 16.
    public static let overhead = 28
    /// The bytes of a file's salt.
    public static let saltByteCount = 32
    /// The bytes of the value that tells a wrong key from a damaged file.
    public static let checkByteCount = 16

    let cipher: @Sendable (_ salt: [UInt8]) throws -> (cipher: any PageCipher, check: [UInt8])

    /// A seal.
    ///
    /// - Parameter cipher: The cipher for a salt of ``saltByteCount`` bytes, and ``checkByteCount`` bytes that are
    ///   derived from its key and reveal nothing about it.
    public init(cipher: @escaping @Sendable (_ salt: [UInt8]) throws -> (cipher: any PageCipher, check: [UInt8])) {
        self.cipher = cipher
    }
}
