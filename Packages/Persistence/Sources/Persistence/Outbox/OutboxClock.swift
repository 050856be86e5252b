// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials

/// The clock of an ``Outbox``.
public struct OutboxClock: Sendable {
    let now: @Sendable () -> OutboxTime
    let sleep: @Sendable (Duration) async throws -> Void

    /// A custom clock.
    ///
    /// - Parameters:
    ///   - now: The current moment.
    ///   - sleep: Returns after a time; throws when its task is cancelled.
    public init(
        now: @escaping @Sendable () -> OutboxTime, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clocks, which all its processes share.
    public static let system: OutboxClock = {
        // Without it, a restart is noticed by the counts, which begin anew.
        let name = MachineTime.bootID ?? "unknown"
        return OutboxClock(
            now: {
                OutboxTime(
                    boot: name, awake: MonotonicTime.now.nanoseconds / 1_000_000,
                    elapsed: MachineTime.sinceBoot.wholeNanoseconds / 1_000_000, wall: Date())
            },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) })
    }()
}

/// A moment on the clocks that an ``Outbox`` needs. No wait and no lease depends on the wall clock, which can be set.
public struct OutboxTime: Sendable, Equatable {
    /// Identifies the start of the machine that the two counts belong to.
    public var boot: String
    /// Milliseconds since the start without the time asleep (`CLOCK_MONOTONIC`): a suspended worker's lease must not
    /// end before the worker can continue.
    public var awake: Int64
    /// Milliseconds since the start with the time asleep (`CLOCK_BOOTTIME`): waits continue in sleep.
    public var elapsed: Int64
    /// The wall clock, for people and for removing the keys of items delivered long ago.
    public var wall: Date

    /// A moment.
    public init(boot: String, awake: Int64, elapsed: Int64, wall: Date) {
        self.boot = boot
        self.awake = awake
        self.elapsed = elapsed
        self.wall = wall
    }
}
