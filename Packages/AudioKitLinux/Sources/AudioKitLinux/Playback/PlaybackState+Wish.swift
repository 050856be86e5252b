// SPDX-License-Identifier: MIT

extension PlaybackState {
    /// The conditions that a task can wait for.
    enum Wish {
        /// Room in the queue.
        case space
        /// Every frame before this one was heard or flushed.
        case drained(upTo: Int)
        /// The flush with this number is done.
        case flushed(Int)
        /// This frame was heard.
        case heard(Int)
    }

    enum Outcome: Sendable {
        case done(ContinuousClock.Instant?)
        case failed(AudioError)
        case cancelled
    }

    struct Waiter {
        let id: Int
        let wish: Wish
        let continuation: CheckedContinuation<Outcome, Never>
    }
}
