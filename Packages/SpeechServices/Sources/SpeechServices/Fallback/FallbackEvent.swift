// SPDX-License-Identifier: MIT

import Concurrency

/// A change between the chosen engine and the local one.
public enum FallbackEvent: Sendable {
    /// The chosen engine failed, and the local one works in its place; told once for each outage.
    ///
    /// - Parameters:
    ///   - error: The failure: a ``SpeechServiceError`` for a service.
    ///   - retryIn: The time until the chosen engine is tried again.
    case fellBack(error: any Error, retryIn: Duration)
    /// The chosen engine works again.
    case recovered
}

/// The state of one pair of engines, shared by its requests.
final class FallbackSwitch: Sendable {
    private let machine: Guarded<FallbackStateMachine>
    private let clock: @Sendable () -> Duration
    private let chance: @Sendable () -> Double
    private let onEvent: @Sendable (FallbackEvent) -> Void

    init(
        backoff: Backoff, clock: any Clock<Duration>, chance: @escaping @Sendable () -> Double,
        onEvent: @escaping @Sendable (FallbackEvent) -> Void
    ) {
        machine = Guarded(FallbackStateMachine(backoff: backoff))
        self.clock = Self.time(of: clock)
        self.chance = chance
        self.onEvent = onEvent
    }

    /// The time of a clock since now.
    private static func time<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    func choose() -> FallbackStateMachine.Choice {
        let now = clock()
        return machine.withLock { $0.choose(now: now) }
    }

    func failed(_ error: any Error) {
        let (now, chance) = (clock(), chance())
        let least = (error as? SpeechServiceError)?.retryAfter
        let wait = machine.withLock { $0.primaryFailed(now: now, least: least, chance: chance) }
        if let wait { onEvent(.fellBack(error: error, retryIn: wait)) }
    }

    func succeeded() {
        if machine.withLock({ $0.primarySucceeded() }) { onEvent(.recovered) }
    }

    func abandoned() {
        let now = clock()
        machine.withLock { $0.primaryAbandoned(now: now) }
    }
}
