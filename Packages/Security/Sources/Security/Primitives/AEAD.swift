// SPDX-License-Identifier: MIT

import COpenSSL
import Concurrency
import Diagnostics
public import FoundationEssentials

/// Authenticated encryption with associated data: AES-256-GCM (NIST SP 800-38D) with internally managed nonces.
///
/// A sealed message is `nonce (12) ‖ ciphertext (as long as the message) ‖ tag (16)`. The nonces of one instance start
/// at a random 96-bit number and count up (§8.2.2), so one instance never repeats one. Several instances with one key,
/// say in two programs, each start elsewhere: with m instances of at most n messages the risk of one repeated nonce is
/// below m²n ∕ 2⁹⁶, for example 2⁻³² for 2¹⁶ instances of 2³² messages. §8.3 allows a key 2³² messages over all
/// instances; one instance stops there by itself. For a key with many uses, derive one key for each use by ``HKDF``.
///
/// An instance may be used from any thread; it seals one message at a time.
public final class AEAD: Sendable {
    /// The number of bytes that sealing adds to a message.
    public static let overhead = GCMContext.nonceByteCount + GCMContext.tagByteCount
    /// The most bytes of one message; ``SealedFileWriter`` takes any length.
    public static let messageLimit = 1 << 30

    private let sealing: Guarded<(context: GCMContext, nonces: NonceSequence)>
    private let opening: Guarded<GCMContext>

    /// A cipher with a key.
    public convenience init(key: SymmetricKey) throws {
        try self.init(key: key, nonces: NonceSequence())
    }

    init(key: SymmetricKey, nonces: NonceSequence) throws {
        sealing = Guarded((try GCMContext(key: key, direction: .seal), nonces))
        opening = Guarded(try GCMContext(key: key, direction: .open))
    }

    /// Encrypts and authenticates a message.
    ///
    /// - Parameters:
    ///   - message: At most ``messageLimit`` bytes.
    ///   - context: The identity of the message: a purpose, a record's id, a version. It is not stored;
    ///     ``open(_:authenticating:)`` must get the same, so that one record's message cannot replace another's.
    /// - Throws: ``SecurityError``: `keyExhausted` after 2³² messages, `invalidParameter` for one that is too long.
    @inlinable
    public func seal(_ message: some ContiguousBytes, authenticating context: some ContiguousBytes) throws -> [UInt8] {
        // Inlined at the call: a call through a protocol would cost a short message a third of its time.
        try message.withUnsafeBytes { message in
            try context.withUnsafeBytes { context in try sealBytes(message, authenticating: context) }
        }
    }

    @usableFromInline
    func sealBytes(_ message: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer) throws -> [UInt8]
    {
        guard message.count <= Self.messageLimit, context.count <= Self.messageLimit else {
            throw SecurityError(
                code: .invalidParameter, message: "A message has at most 1 GiB; seal more as a SealedFile.")
        }
        return try [UInt8](unsafeUninitializedCapacity: message.count + Self.overhead) { buffer, count in
            try seal(message, authenticating: context, into: UnsafeMutableRawBufferPointer(buffer))
            count = message.count + Self.overhead
        }
    }

    /// Does the same into an array that is reused from message to message: a short message costs a quarter less.
    ///
    /// - Parameter output: Its content is replaced by the sealed message.
    @inlinable
    public func seal(
        _ message: some ContiguousBytes, authenticating context: some ContiguousBytes, into output: inout [UInt8]
    ) throws {
        try message.withUnsafeBytes { message in
            try context.withUnsafeBytes { context in try sealBytes(message, authenticating: context, into: &output) }
        }
    }

    @usableFromInline
    func sealBytes(
        _ message: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws {
        let count = message.count + Self.overhead
        guard message.count <= Self.messageLimit, context.count <= Self.messageLimit, output.count == count else {
            output = try sealBytes(message, authenticating: context)
            return
        }
        try output.withUnsafeMutableBytes { try seal(message, authenticating: context, into: $0) }
    }

    func seal(
        _ message: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        let nonce = output.baseAddress.unsafelyUnwrapped
        let ciphertext = nonce + GCMContext.nonceByteCount
        try sealing.withLock { state in
            try state.nonces.next(into: nonce)
            try state.context.seal(
                message, nonce: nonce, authenticating: context, into: ciphertext, tag: ciphertext + message.count)
        }
    }

    /// The message that was sealed.
    ///
    /// - Throws: ``SecurityError`` with the code `authenticationFailed` if the key, the context or any sealed byte
    ///   differs; the error does not say which.
    @inlinable
    public func open(_ sealed: some ContiguousBytes, authenticating context: some ContiguousBytes) throws -> [UInt8] {
        try sealed.withUnsafeBytes { sealed in
            try context.withUnsafeBytes { context in try openBytes(sealed, authenticating: context) }
        }
    }

    @usableFromInline
    func openBytes(_ sealed: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer) throws -> [UInt8] {
        let count = sealed.count - Self.overhead
        guard count >= 0, count <= Self.messageLimit else { throw SecurityError.authenticationFailed }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            try open(sealed, authenticating: context, into: UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    /// Does the same into an array that is reused from message to message.
    ///
    /// - Parameter output: Its content is replaced by the message; if this throws, it holds no byte of the message.
    @inlinable
    public func open(
        _ sealed: some ContiguousBytes, authenticating context: some ContiguousBytes, into output: inout [UInt8]
    ) throws {
        try sealed.withUnsafeBytes { sealed in
            try context.withUnsafeBytes { context in try openBytes(sealed, authenticating: context, into: &output) }
        }
    }

    @usableFromInline
    func openBytes(
        _ sealed: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws {
        guard sealed.count >= Self.overhead, output.count == sealed.count - Self.overhead else {
            output = try openBytes(sealed, authenticating: context)
            return
        }
        try output.withUnsafeMutableBytes { try open(sealed, authenticating: context, into: $0) }
    }

    /// Opens a sealed message into memory that is overwritten when it is released.
    func openSecurely(_ sealed: some ContiguousBytes, authenticating context: [UInt8]) throws -> SecureBytes {
        try sealed.withUnsafeBytes { sealed in
            let count = sealed.count - Self.overhead
            guard count >= 0 else { throw SecurityError.authenticationFailed }
            return try SecureBytes(count: count) { buffer in
                try context.withUnsafeBytes { try open(sealed, authenticating: $0, into: buffer) }
            }
        }
    }

    func open(
        _ sealed: UnsafeRawBufferPointer, authenticating context: UnsafeRawBufferPointer,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws {
        let nonce = sealed.baseAddress.unsafelyUnwrapped
        let count = sealed.count - Self.overhead
        // An empty message decrypts into no memory at all.
        var nowhere: UInt8 = 0
        try withUnsafeMutablePointer(to: &nowhere) { nowhere in
            try opening.withLock {
                try $0.open(
                    UnsafeRawBufferPointer(start: nonce + GCMContext.nonceByteCount, count: count), nonce: nonce,
                    authenticating: context, tag: nonce + (sealed.count - GCMContext.tagByteCount),
                    into: buffer.baseAddress ?? UnsafeMutableRawPointer(nowhere))
            }
        }
    }
}
