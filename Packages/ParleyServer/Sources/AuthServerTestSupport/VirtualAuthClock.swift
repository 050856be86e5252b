// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
import Diagnostics

/// A clock that stands until it is moved.
public final class VirtualAuthClock: Sendable {
    private let time: Guarded<AuthTime>

    /// A clock that stands at the beginning of 2026.
    public init(at time: AuthTime = AuthTime(milliseconds: 1_767_225_600_000)) {
        self.time = Guarded(time)
    }

    /// The time.
    public var now: AuthTime { time.withLock { $0 } }

    /// What a service takes.
    public var clock: AuthClock { AuthClock { self.now } }

    /// Moves the clock; a negative duration sets it back.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }
}
