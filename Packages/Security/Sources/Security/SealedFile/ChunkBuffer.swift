// SPDX-License-Identifier: MIT

import Glibc

/// Room for one chunk of plaintext, overwritten whenever it is emptied, and for the same chunk sealed.
final class ChunkBuffer {
    private let plain: UnsafeMutableRawBufferPointer
    private let sealed: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(chunkByteCount: Int) throws {
        plain = .allocate(byteCount: chunkByteCount, alignment: 64)
        sealed = .allocate(byteCount: chunkByteCount + GCMContext.tagByteCount, alignment: 64)
        plain.initializeMemory(as: UInt8.self, repeating: 0)
        sealed.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        clear()
        plain.deallocate()
        sealed.deallocate()
    }

    var isFull: Bool { count == plain.count }

    /// The plaintext.
    var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: plain[..<count]) }

    /// Overwrites the plaintext.
    func clear() {
        if let start = plain.baseAddress { explicit_bzero(start, count) }
        count = 0
    }

    /// Takes as many bytes as fit, and returns their number.
    func fill(from source: UnsafeRawBufferPointer) -> Int {
        let taken = min(source.count, plain.count - count)
        UnsafeMutableRawBufferPointer(rebasing: plain[count..<(count + taken)])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<taken]))
        count += taken
        return taken
    }

    /// Passes the sealed chunk, ciphertext and tag, to `write`, and empties the buffer.
    func seal(
        with cipher: GCMContext, nonce: UnsafeRawBufferPointer, authenticating header: UnsafeRawBufferPointer,
        write: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let target = sealed.baseAddress, let nonce = nonce.baseAddress else { return }
        try cipher.seal(content, nonce: nonce, authenticating: header, into: target, tag: target + count)
        try write(UnsafeRawBufferPointer(rebasing: sealed[..<(count + GCMContext.tagByteCount)]))
        clear()
    }

    /// Reads a sealed chunk of `sealedCount` bytes by `read`, which returns the number of bytes read, and opens it in
    /// place of the content.
    func open(
        with cipher: GCMContext, nonce: UnsafeRawBufferPointer, authenticating header: UnsafeRawBufferPointer,
        sealedCount: Int, read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        clear()
        let input = UnsafeMutableRawBufferPointer(rebasing: sealed[..<sealedCount])
        guard try read(input) == sealedCount, sealedCount >= GCMContext.tagByteCount, let source = input.baseAddress,
            let target = plain.baseAddress, let nonce = nonce.baseAddress
        else { throw SecurityError.authenticationFailed }
        let plainCount = sealedCount - GCMContext.tagByteCount
        try cipher.open(
            UnsafeRawBufferPointer(start: source, count: plainCount), nonce: nonce, authenticating: header,
            tag: source + plainCount, into: target)
        count = plainCount
    }
}
