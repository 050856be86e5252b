// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A 256-bit secret key, overwritten when its last copy is released.
///
/// It cannot be printed, and it is not `Codable`: ``withUnsafeBytes(_:)`` is the only way to its bytes.
public struct SymmetricKey: Sendable, ContiguousBytes, Redacted {
    /// The length of every key in bytes.
    public static let byteCount = 32

    let bytes: SecureBytes

    /// A fresh random key from libcrypto's private generator.
    ///
    /// - Throws: ``SecurityError`` with the code `unavailable` when the system has no randomness.
    public init() throws {
        bytes = try SecureBytes.random(count: Self.byteCount)
    }

    /// A key of given bytes, which should be random; derive a key from a passphrase with ``Scrypt``.
    ///
    /// - Throws: ``SecurityError`` with the code `invalidParameter` unless there are 32.
    public init(_ source: some ContiguousBytes) throws {
        bytes = try source.withUnsafeBytes { buffer in
            guard buffer.count == Self.byteCount else {
                throw SecurityError(
                    code: .invalidParameter, message: "A key has \(Self.byteCount) bytes, not \(buffer.count).")
            }
            return try SecureBytes(copying: buffer)
        }
    }

    init(filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        bytes = try SecureBytes(count: Self.byteCount, filledBy: fill)
    }

    /// Passes the key's bytes to `body`; they must not outlive it.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
