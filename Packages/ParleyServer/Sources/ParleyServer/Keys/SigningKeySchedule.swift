// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency

/// The signing keys now, and those from a later time on. Every instance knows a new key before any of them signs with
/// it, so that none refuses another's token.
struct SigningKeySchedule: Sendable {
    let present: SigningKeys
    /// Nil if no change is due.
    var next: (keys: SigningKeys, from: AuthTime)?

    func keys(at now: AuthTime) -> SigningKeys {
        guard let next, now >= next.from else { return present }
        return next.keys
    }
}

/// The signing keys of a running server; they may be exchanged at any time.
final class SigningKeyRing: Sendable {
    private let schedule: Guarded<SigningKeySchedule>
    private let clock: AuthClock

    init(_ schedule: SigningKeySchedule, clock: AuthClock) {
        self.schedule = Guarded(schedule)
        self.clock = clock
    }

    var keys: SigningKeys { schedule.withLock { $0 }.keys(at: clock.now()) }

    func set(_ next: SigningKeySchedule) { schedule.withLock { $0 = next } }
}
