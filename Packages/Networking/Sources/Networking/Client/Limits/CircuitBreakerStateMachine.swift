// SPDX-License-Identifier: MIT

/// Stops asking an origin that keeps failing, and lets one request in after a while to see whether it is back. Pure.
struct CircuitBreakerStateMachine: Sendable {
    enum State: Equatable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen
    }

    private let threshold: Int
    private let openFor: Duration
    private(set) var state = State.closed(failures: 0)

    init(threshold: Int, openFor: Duration) {
        self.threshold = max(threshold, 1)
        self.openFor = openFor
    }

    /// Whether a request may go now. The one that opens the half-open state is the probe.
    mutating func admits(now: Duration) -> Bool {
        switch state {
        case .closed: return true
        case .halfOpen: return false
        case .open(let until):
            guard until <= now else { return false }
            state = .halfOpen
            return true
        }
    }

    /// A request that was admitted ended; `nil` says nothing about the origin, such as a cancellation.
    mutating func ended(isSuccess: Bool?, now: Duration) {
        switch (state, isSuccess) {
        case (.closed, true?): state = .closed(failures: 0)
        case (.closed(let failures), false?):
            state = failures + 1 >= threshold ? .open(until: now + openFor) : .closed(failures: failures + 1)
        case (.halfOpen, true?): state = .closed(failures: 0)
        case (.halfOpen, false?): state = .open(until: now + openFor)
        // The probe told nothing: the next request is one again.
        case (.halfOpen, nil): state = .open(until: now)
        case (.open, _), (.closed, nil): break
        }
    }
}
