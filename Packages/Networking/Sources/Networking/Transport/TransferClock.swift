// SPDX-License-Identifier: MIT

import Concurrency

/// Checks the time-outs of one transfer: its phase, and the phase's deadline.
struct TransferClock {
    /// The event that the transfer waits for.
    enum Phase {
        case connection
        case firstByte
        case moreBytes
    }

    private let timeouts: HTTPTimeouts
    private let wholeDeadline: MonotonicTime?
    private(set) var phase = Phase.connection
    private var since = MonotonicTime.now
    /// True while our own side is slow: the reader, or the source of the request's body.
    private var isHeld = false

    init(timeouts: HTTPTimeouts, wholeDeadline: MonotonicTime?) {
        self.timeouts = timeouts
        self.wholeDeadline = wholeDeadline
    }

    /// Begins a phase.
    mutating func enter(_ phase: Phase, at now: MonotonicTime) {
        self.phase = phase
        since = now
    }

    /// Notes that bytes moved.
    mutating func noteActivity(at now: MonotonicTime) {
        since = now
    }

    /// Notes that our own side became slow, or quick again.
    mutating func hold(_ isHeld: Bool, at now: MonotonicTime) {
        self.isHeld = isHeld
        since = now
    }

    private var limit: Duration? {
        switch phase {
        case .connection: timeouts.connect
        case .firstByte: timeouts.firstByte
        case .moreBytes: timeouts.idle
        }
    }

    private var phaseDeadline: MonotonicTime? {
        isHeld ? nil : limit.map { since.advanced(by: $0) }
    }

    /// The next moment at which a limit may be passed.
    var deadline: MonotonicTime? {
        guard let phaseDeadline else { return wholeDeadline }
        return wholeDeadline.map { min($0, phaseDeadline) } ?? phaseDeadline
    }

    /// The time-out that has passed, if one has.
    func expired(at now: MonotonicTime) -> NetworkError? {
        if let wholeDeadline, wholeDeadline <= now {
            return .timeout(.timeout, "The request was not complete", timeouts.whole)
        }
        guard let phaseDeadline, phaseDeadline <= now else { return nil }
        switch phase {
        case .connection: return .connectTimeout(limit)
        case .firstByte: return .timeout(.firstByteTimeout, "No response came", limit)
        case .moreBytes: return .timeout(.idleTimeout, "Nothing more of the response came", limit)
        }
    }
}
