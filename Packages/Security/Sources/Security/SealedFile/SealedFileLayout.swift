// SPDX-License-Identifier: MIT

/// The positions of the chunks in a sealed file.
struct SealedFileLayout {
    let chunkByteCount: Int
    let chunkCount: Int
    /// The sealed bytes of all chunks.
    let bodyByteCount: Int
    let isComplete: Bool

    private var stride: Int { chunkByteCount + GCMContext.tagByteCount }

    /// The layout of a whole file.
    init(fileByteCount: Int, header: SealedFileHeader) {
        chunkByteCount = header.chunkByteCount
        bodyByteCount = max(0, fileByteCount - SealedFileHeader.byteCount)
        isComplete = true
        let stride = header.chunkByteCount + GCMContext.tagByteCount
        // A file without any chunk is treated as one with an empty and wrong one.
        chunkCount = max(1, (bodyByteCount + stride - 1) / stride)
    }

    private init(chunkByteCount: Int, chunkCount: Int) {
        self.chunkByteCount = chunkByteCount
        self.chunkCount = chunkCount
        bodyByteCount = chunkCount * (chunkByteCount + GCMContext.tagByteCount)
        isComplete = false
    }

    /// The plaintext bytes of all chunks.
    var plainByteCount: Int { max(0, bodyByteCount - chunkCount * GCMContext.tagByteCount) }

    func isLast(_ chunk: Int) -> Bool { isComplete && chunk == chunkCount - 1 }

    /// The sealed bytes of a chunk in the file.
    func range(of chunk: Int) -> Range<Int> {
        let start = chunk * stride
        return
            (SealedFileHeader.byteCount + start)..<(SealedFileHeader.byteCount
            + max(start, min(start + stride, bodyByteCount)))
    }

    /// The whole chunks of a file whose last one is missing.
    func withoutEnd() -> Self { Self(chunkByteCount: chunkByteCount, chunkCount: bodyByteCount / stride) }

    func droppingLastChunk() -> Self { Self(chunkByteCount: chunkByteCount, chunkCount: chunkCount - 1) }
}

/// The nonce of one chunk, as in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár, CRYPTO 2015): seven zero
/// bytes, the chunk's number as 32 bits, and a flag for the last one. Each file has its own key, so no more is needed.
enum ChunkNonce {
    /// - Throws: ``SecurityError`` with the code `keyExhausted` from chunk 2³² on.
    static func bytes(chunk: Int, isLast: Bool) throws -> [UInt8] {
        guard let number = UInt32(exactly: chunk) else {
            throw SecurityError(
                code: .keyExhausted, message: "A sealed file has at most 2^32 chunks. Go on in a new file.")
        }
        return [UInt8](repeating: 0, count: 7) + withUnsafeBytes(of: number.bigEndian, Array.init) + [isLast ? 1 : 0]
    }
}
