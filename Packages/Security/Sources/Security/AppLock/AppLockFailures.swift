// SPDX-License-Identifier: MIT

/// How many passphrases in a row were wrong, and how long the next one has to wait. Pure: the time comes in.
struct AppLockFailures: Equatable, Codable {
    /// Seconds to wait after the third, fourth … failure in a row; the last holds for all that follow.
    static let delays: [Double] = [5, 15, 60, 300, 900, 3_600]
    /// How many failures cost no time.
    static let freeCount = 2

    private(set) var count = 0
    /// When the last failure was, on the clocks of the machine's present run once ``settle(at:)`` has seen it.
    private(set) var last: AppLockTime?

    /// Seconds to wait in all after the failures so far.
    var delay: Double {
        count <= Self.freeCount ? 0 : Self.delays[min(count - Self.freeCount, Self.delays.count) - 1]
    }

    /// Seconds that are still to wait. Call ``settle(at:)`` before.
    func remaining(at now: AppLockTime) -> Double {
        guard let last else { return 0 }
        return max(0, delay - max(0, now.uptime - last.uptime))
    }

    /// Moves the last failure to the clocks of the machine's present run.
    ///
    /// Within one run only the uptime counts, so setting the wall clock changes nothing. After a restart the time in between
    /// is the wall clock's; if that went backwards, none has passed. A clock that was set forward across a restart is
    /// believed: nothing on the machine knows better.
    mutating func settle(at now: AppLockTime) {
        guard let before = last, before.boot != now.boot || now.uptime < before.uptime else { return }
        let passed = before.boot == now.boot ? 0 : min(max(0, now.wall - before.wall), delay)
        last = AppLockTime(boot: now.boot, uptime: now.uptime - passed, wall: now.wall)
    }

    /// Counts an attempt as failed, before its passphrase is looked at: who ends the program in between has used it.
    mutating func begin(at now: AppLockTime) {
        count = min(count, 1_000_000) + 1
        last = now
    }

    /// Forgets the failures after the right passphrase.
    mutating func succeed() {
        self = Self()
    }
}
