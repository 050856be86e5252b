// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// scrypt (RFC 7914): derives a key from a passphrase, at a cost that makes guessing expensive.
public enum Scrypt {
    /// The least length of a salt in bytes.
    public static let saltByteCount = 16

    /// The key of a passphrase, a salt and parameters. Takes a good part of a second of one core: call it on a separate
    /// queue, never on Swift's cooperative threads.
    ///
    /// - Throws: ``SecurityError`` with the code `invalidParameter` for an empty passphrase or a short salt.
    public static func key(
        passphrase: some ContiguousBytes, salt: some ContiguousBytes, parameters: ScryptParameters = .standard
    ) throws -> SymmetricKey {
        let isUsable = passphrase.withUnsafeBytes { !$0.isEmpty } && salt.withUnsafeBytes { $0.count >= saltByteCount }
        guard isUsable else {
            throw SecurityError(
                code: .invalidParameter,
                message: "A passphrase is not empty, and its salt has \(saltByteCount) bytes or more.")
        }
        return try SymmetricKey {
            try derive(
                passphrase: passphrase, salt: salt, cost: 1 << UInt64(parameters.costExponent),
                blockSize: UInt64(parameters.blockSize), parallelization: UInt64(parameters.parallelization), into: $0)
        }
    }

    static func derive(
        passphrase: some ContiguousBytes, salt: some ContiguousBytes, cost: UInt64, blockSize: UInt64,
        parallelization: UInt64, memoryLimit: Int = 2 * ScryptParameters.memoryLimit,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        try SecurityError.requireLibCrypto()
        let isDone = passphrase.withUnsafeBytes { passphrase in
            salt.withUnsafeBytes { salt in
                // A null passphrase would only check the parameters.
                let text = passphrase.baseAddress ?? UnsafeRawPointer(output.baseAddress)
                return EVP_PBE_scrypt(
                    text?.assumingMemoryBound(to: CChar.self), passphrase.count,
                    salt.assumingMemoryBound(to: UInt8.self).baseAddress, salt.count,
                    cost, blockSize, parallelization, UInt64(memoryLimit),
                    output.assumingMemoryBound(to: UInt8.self).baseAddress, output.count) == 1
            }
        }
        guard isDone else { throw SecurityError.unavailable("run scrypt") }
    }
}
