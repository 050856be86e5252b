// SPDX-License-Identifier: MIT

import AudioBuffers
import Concurrency

/// The sound that came while a connection was busy, joined, so that it is written at once.
///
/// One task adds, one takes: at each element of ``more``, all that is there.
final class WaitingSound: Sendable {
    /// An element after sound was added, and the end after ``end()``.
    let more: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let samples = Guarded<[Float]>([])
    private let format: AudioFormat

    init(format: AudioFormat) {
        self.format = format
        (more, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ buffer: AudioBuffer) {
        samples.withLock { $0 += buffer.samples }
        signal.yield()
    }

    func end() { signal.finish() }

    /// All sound that waits, in pieces of at most so many frames.
    func take(pieces frames: Int) -> [AudioBuffer] {
        let taken = samples.withLock { waiting in
            defer { waiting = [] }
            return AudioBuffer(samples: waiting, format: format)
        }
        return stride(from: 0, to: taken.frameCount, by: frames).map { taken.frames($0..<$0 + frames) }
    }
}
