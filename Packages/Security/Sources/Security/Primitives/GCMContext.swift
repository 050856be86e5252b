// SPDX-License-Identifier: MIT

import COpenSSL
import Glibc

/// AES-256-GCM with one key in one direction: the expanded key is kept, so that a message costs only its own blocks.
///
/// The caller must choose the nonces, so this type is not public.
// SAFETY: AEAD holds each one inside a lock, so one thread at a time uses `context`.
final class GCMContext: @unchecked Sendable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    static let nonceByteCount = 12
    static let tagByteCount = 16

    private let context: OpaquePointer
    private let direction: Direction

    init(key: SymmetricKey, direction: Direction) throws {
        try SecurityError.requireLibCrypto()
        guard let context = EVP_CIPHER_CTX_new() else { throw SecurityError.unavailable("allocate a cipher") }
        self.context = context
        self.direction = direction
        // The context keeps its own reference to the cipher.
        let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
        defer { EVP_CIPHER_free(cipher) }
        let isReady = key.withUnsafeBytes { key in
            cipher != nil
                && EVP_CipherInit_ex2(
                    context, cipher, key.assumingMemoryBound(to: UInt8.self).baseAddress, nil, direction.rawValue, nil)
                    == 1
        }
        guard isReady else { throw SecurityError.unavailable("set up AES-256-GCM") }
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    /// Encrypts `input` into `output` of the same length, and writes the tag's 16 bytes.
    func seal(
        _ input: UnsafeRawBufferPointer, nonce: UnsafeRawPointer, authenticating data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawPointer, tag: UnsafeMutableRawPointer
    ) throws {
        precondition(direction == .seal)
        guard run(input, nonce: nonce, authenticating: data, into: output), finish(),
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag) == 1
        else { throw SecurityError.unavailable("encrypt") }
    }

    /// Decrypts `input` into `output` of the same length; overwrites it if the tag does not fit.
    func open(
        _ input: UnsafeRawBufferPointer, nonce: UnsafeRawPointer, authenticating data: UnsafeRawBufferPointer,
        tag: UnsafeRawPointer, into output: UnsafeMutableRawPointer
    ) throws {
        precondition(direction == .open)
        guard run(input, nonce: nonce, authenticating: data, into: output),
            EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), UnsafeMutableRawPointer(mutating: tag)) == 1,
            finish()
        else {
            explicit_bzero(output, input.count)
            throw SecurityError.authenticationFailed
        }
    }

    private func run(
        _ input: UnsafeRawBufferPointer, nonce: UnsafeRawPointer, authenticating data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawPointer
    ) -> Bool {
        // libcrypto takes lengths as Int32.
        guard let inputCount = Int32(exactly: input.count), let dataCount = Int32(exactly: data.count),
            EVP_CipherInit_ex2(context, nil, nil, nonce.assumingMemoryBound(to: UInt8.self), -1, nil) == 1
        else { return false }
        var written: Int32 = 0
        if let data = data.baseAddress, dataCount > 0,
            EVP_CipherUpdate(context, nil, &written, data.assumingMemoryBound(to: UInt8.self), dataCount) != 1
        {
            return false
        }
        guard let input = input.baseAddress, inputCount > 0 else { return true }
        return EVP_CipherUpdate(
            context, output.assumingMemoryBound(to: UInt8.self), &written, input.assumingMemoryBound(to: UInt8.self),
            inputCount) == 1
    }

    private func finish() -> Bool {
        var written: Int32 = 0
        var rest: UInt8 = 0
        return EVP_CipherFinal_ex(context, &rest, &written) == 1
    }
}
