// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import Persistence
import TestKit

/// The outbox's clocks, which go only as far as a test moves them.
final class ManualOutboxTime: Sendable {
    private let time = Guarded(
        OutboxTime(boot: "boot", awake: 1_000, elapsed: 1_000, wall: Date(timeIntervalSince1970: 1_800_000_000)))

    func advance(_ seconds: Int) {
        time.withLock {
            $0.awake += Int64(seconds) * 1_000
            $0.elapsed += Int64(seconds) * 1_000
            $0.wall += Double(seconds)
        }
    }

    /// A wait ends with its task, since no test moves the time meanwhile.
    var clock: OutboxClock {
        OutboxClock(
            now: { self.time.withLock { $0 } },
            sleep: { _ in
                await untilCancelled()
                throw CancellationError()
            })
    }
}
