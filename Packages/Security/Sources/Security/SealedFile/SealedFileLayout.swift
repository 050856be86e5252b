// SPDX-License-Identifier: MIT

/// Where the chunks of a sealed file lie.
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
        // A file without any chunk is taken for one with an empty and wrong one.
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

    /// The whole chunks of a file whose last one is not there.
    func withoutEnd() -> Self { Self(chunkByteCount: chunkByteCount, chunkCount: bodyByteCount / stride) }

    func droppingLastChunk() -> Self { Self(chunkByteCount: chunkByteCount, chunkCount: chunkCount - 1) }
}
