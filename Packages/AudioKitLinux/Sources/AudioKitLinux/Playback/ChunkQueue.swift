// SPDX-License-Identifier: MIT

/// Sound that waits in its original buffers, and leaves in parts of any length.
struct ChunkQueue {
    private var chunks: [AudioBuffer] = []
    private var first = 0
    /// Frames of the first buffer that were taken out.
    private var offset = 0

    mutating func append(_ buffer: AudioBuffer) { chunks.append(buffer) }

    /// Takes out at most `count` of the next frames; fewer at the end of a buffer.
    mutating func next(_ count: Int) -> AudioBuffer? {
        guard first < chunks.count else { return nil }
        let buffer = chunks[first]
        let frames = min(count, buffer.frameCount - offset)
        let piece = buffer.frames(offset..<offset + frames)
        offset += frames
        if offset == buffer.frameCount {
            // Releases the samples at once; the slot is removed when half of the slots are empty.
            chunks[first] = AudioBuffer(samples: [], format: buffer.format)
            first += 1
            offset = 0
            if first * 2 > chunks.count {
                chunks.removeFirst(first)
                first = 0
            }
        }
        return piece
    }

    mutating func removeAll() { self = ChunkQueue() }
}
