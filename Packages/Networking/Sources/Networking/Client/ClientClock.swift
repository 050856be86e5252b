// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Digests
public import FoundationEssentials

/// The clock of the client's stages: for waits, and for the dates in headers.
public struct ClientClock: Sendable {
    /// The time since some fixed moment; never decreases.
    public let now: @Sendable () -> Duration
    /// Waits; throws `CancellationError`.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// The current date.
    public let date: @Sendable () -> Date

    /// A clock for waits, and the dates.
    public init<C: Clock>(_ clock: C, date: @escaping @Sendable () -> Date = { Date() }) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        self.date = date
    }

    /// The system's clock.
    public static var system: ClientClock { ClientClock(ContinuousClock()) }
}

/// One random source for all of a client's stages.
final class RandomSource: Sendable {
    private let generator: Guarded<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Guarded(generator)
    }

    /// A number from zero up to, but not including, one.
    func unit() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// 128 random bits as 32 hexadecimal digits.
    func key() -> String {
        let words = generator.withLock { [$0.next() as UInt64, $0.next()] }
        return Hexadecimal.text(words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } })
    }
}
