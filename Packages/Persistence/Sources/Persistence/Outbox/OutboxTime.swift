// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A moment on the clocks that an ``Outbox`` needs. No wait and no lease depends on the wall clock, which can be set.
public struct OutboxTime: Sendable, Equatable {
    /// Which start of the machine the two counts belong to.
    public var boot: String
    /// Milliseconds since the start without the time asleep (`CLOCK_MONOTONIC`): a suspended worker's lease must not end
    /// before the worker can go on.
    public var awake: Int64
    /// Milliseconds since the start with the time asleep (`CLOCK_BOOTTIME`): waits go on in sleep.
    public var elapsed: Int64
    /// The wall clock, for people and for forgetting what was done long ago.
    public var wall: Date

    /// A moment.
    public init(boot: String, awake: Int64, elapsed: Int64, wall: Date) {
        self.boot = boot
        self.awake = awake
        self.elapsed = elapsed
        self.wall = wall
    }
}
