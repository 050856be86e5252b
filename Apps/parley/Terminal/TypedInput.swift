// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// Typed input of a terminal, each chunk with the number of the question on the screen when it arrived: no chunk
/// answers a question that was shown after it. Until ``close()`` a thread of its own reads.
final class TypedInput: Sendable {
    /// Bytes that arrived together.
    struct Chunk: Sendable, Equatable {
        let bytes: [UInt8]
        /// The number of questions that had been shown when it arrived.
        let question: Int
    }

    private struct State {
        var question = 0
        var isOver = false
    }

    /// The typed chunks as they arrive, in an unbounded buffer.
    let chunks: AsyncStream<Chunk>
    private let entry: AsyncStream<Chunk>.Continuation
    private let descriptor: Int32
    private let state = Guarded(State())
    /// Ends the wait of the reading thread.
    private let end = WakePipe()

    /// Begins to read.
    init(descriptor: Int32 = 0) {
        self.descriptor = descriptor
        (chunks, entry) = AsyncStream.makeStream(of: Chunk.self)
        if !DetachedThread.start({ [self] in run() }) { entry.finish() }
    }

    /// Shows a question; input that arrived before does not answer it.
    ///
    /// - Parameter show: Receives the question's number; the chunks that may answer it have at least this number.
    func ask(_ show: (_ number: Int) -> Void) {
        state.withLock { state in
            read(&state)
            // Discards the unfinished line that the terminal itself is still editing.
            tcflush(descriptor, TCIFLUSH)
            state.question += 1
            show(state.question)
        }
    }

    /// Ends the reading; later input is for other readers.
    func close() {
        state.withLock { finish(&$0) }
    }

    private func run() {
        var isOver = false
        while !isOver, end.wait(for: descriptor) == .ready {
            isOver = state.withLock { state in
                read(&state)
                return state.isOver
            }
        }
    }

    /// Reads the available input without waiting; the caller holds the lock.
    private func read(_ state: inout State) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !state.isOver {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                entry.yield(Chunk(bytes: Array(buffer[..<count]), question: state.question))
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                finish(&state)
            }
        }
    }

    private func finish(_ state: inout State) {
        guard !state.isOver else { return }
        state.isOver = true
        end.wake()
        entry.finish()
    }
}
