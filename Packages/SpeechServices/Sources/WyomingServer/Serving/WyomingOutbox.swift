// SPDX-License-Identifier: MIT

import Concurrency
import SpeechServices

/// The events that wait for a client, in order; bounded, so that an engine waits for a client that is slow.
final class WyomingOutbox: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isFinished = false
    }

    private let state = Monitor(State())
    private let limits: WyomingServerConfiguration.Limits

    init(_ limits: WyomingServerConfiguration.Limits) { self.limits = limits }

    /// Adds events as soon as there is room; for any task.
    func send(_ frames: WyomingFrame...) async throws {
        let bytes = try frames.flatMap { try $0.bytes() }
        let limit = limits.outputBytes
        while true {
            let isAdded = state.withLock { state in
                guard state.bytes.count < limit else { return false }
                state.bytes += bytes
                return true
            }
            if isAdded { return }
            try await state.wait { $0.bytes.count < limit }
        }
    }

    /// True if the client has taken enough for more.
    var hasRoom: Bool { state.withLock { $0.bytes.count < limits.outputBytes } }

    /// No more follow; ``write(to:clock:)`` ends when the rest is written.
    func finish() { state.withLock { $0.isFinished = true } }

    /// Writes what waits, to the end.
    ///
    /// - Throws: `StallLimitExceeded` if the client takes nothing; the errors of `write`.
    func write(_ clock: any Clock<Duration>, _ write: @escaping @Sendable ([UInt8]) async throws -> Void) async throws {
        while true {
            try await state.wait { !$0.bytes.isEmpty || $0.isFinished }
            // In pieces, so that a slow client that takes some of it is not a stalled one.
            let piece = state.withLock { state in
                let piece = Array(state.bytes.prefix(64 << 10))
                state.bytes.removeFirst(piece.count)
                return piece
            }
            guard !piece.isEmpty else { return }
            try await withStallLimit(limits.stall, clock: clock) { try await write(piece) }
        }
    }
}
