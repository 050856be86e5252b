// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A clock on which a wait of up to a minute is over at once, and a longer one ends with its task: waits between
/// attempts pass, time-outs do not.
final class SteppingClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private let state = Guarded((now: Instant(), waits: [Duration]()))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// The waits that have passed.
    var waits: [Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let isOver = state.withLock { state in
            let wait = state.now.duration(to: deadline)
            guard wait < .seconds(20) else { return false }
            state.waits.append(wait)
            state.now = max(state.now, deadline)
            return true
        }
        if isOver { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        for await _ in stream {}
        throw CancellationError()
    }
}
