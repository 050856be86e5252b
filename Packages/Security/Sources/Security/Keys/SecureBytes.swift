// SPDX-License-Identifier: MIT

import COpenSSL

/// Bytes that never move and are overwritten when they are released.
///
/// Short ones lie in libcrypto's secure heap, which is locked into memory and excluded from core dumps as far as the
/// system allows it; longer ones, and those that no longer fit there, in ordinary memory.
// SAFETY: the memory is written in the initialiser only, and freed with the last reference.
final class SecureBytes: @unchecked Sendable {
    /// Longer secrets would fill the secure heap.
    private static let secureLimit = 4_096

    /// A process has one secure heap, made on first use. Without it libcrypto uses the ordinary one.
    private static let heap: Int32 = CRYPTO_secure_malloc_init(heapSize, 32)
    private static let heapSize = 1 << 19

    /// The share of the heap that secrets may take. libcrypto keeps the generator of every thread and its own keys
    /// there, and fails without room: it has no other place for them.
    private static let share = heapSize / 2

    private let pointer: UnsafeMutableRawPointer
    let count: Int

    init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try SecurityError.requireLibCrypto()
        _ = Self.heap
        let size = max(1, count)
        let isSecure = size <= Self.secureLimit && CRYPTO_secure_used() + size <= Self.share
        let memory = (isSecure ? copenssl_secure_malloc(size) : nil) ?? copenssl_malloc(size)
        guard let memory else { throw SecurityError.unavailable("allocate \(size) bytes for a secret") }
        pointer = memory
        self.count = count
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    }

    /// Fresh random bytes.
    static func random(count: Int) throws -> SecureBytes {
        try SecureBytes(count: count) { try SecureRandom.fillPrivate($0) }
    }

    convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    deinit {
        copenssl_secure_clear_free(pointer, max(1, count))
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: pointer, count: count)) }
    }
}
