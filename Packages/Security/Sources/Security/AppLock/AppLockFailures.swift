// SPDX-License-Identifier: MIT

/// The number of wrong passphrases in a row, and the wait before the next attempt. Pure: the caller passes the time.
struct AppLockFailures: Equatable, Codable {
    /// Seconds to wait after the third, fourth … failure in a row; the last holds for all that follow.
    static let delays: [Double] = [5, 15, 60, 300, 900, 3_600]
    /// The number of failures that cost no time.
    static let freeCount = 2

    private(set) var count = 0
    /// The time of the last failure, on the clocks of the machine's present run once ``settle(at:)`` has seen it.
    private(set) var last: AppLockTime?

    /// Seconds to wait in all after the failures so far.
    var delay: Double {
        count <= Self.freeCount ? 0 : Self.delays[min(count - Self.freeCount, Self.delays.count) - 1]
    }

    /// The remaining wait in seconds. Call ``settle(at:)`` before.
    func remaining(at now: AppLockTime) -> Double {
        guard let last else { return 0 }
        return max(0, delay - max(0, now.uptime - last.uptime))
    }

    /// Moves the last failure to the clocks of the machine's present run.
    ///
    /// Within one run only the uptime counts, so setting the wall clock changes nothing. After a restart the time in
    /// between is the wall clock's; if that went backwards, no time has passed. A clock that was set forward across a
    /// restart is believed: the machine has no better clock.
    mutating func settle(at now: AppLockTime) {
        guard let before = last, before.boot != now.boot || now.uptime < before.uptime else { return }
        let passed = before.boot == now.boot ? 0 : min(max(0, now.wall - before.wall), delay)
        last = AppLockTime(boot: now.boot, uptime: now.uptime - passed, wall: now.wall)
    }

    /// Counts an attempt as failed before its passphrase is checked, so that ending the program in between gains
    /// nothing.
    mutating func begin(at now: AppLockTime) {
        count = min(count, 1_000_000) + 1
        last = now
    }

    /// Resets the count after the right passphrase.
    mutating func succeed() {
        self = Self()
    }
}
