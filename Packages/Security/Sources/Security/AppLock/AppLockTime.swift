// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials

/// A moment on two clocks: one that cannot be set but restarts with the machine, and one that continues but can be set.
public struct AppLockTime: Sendable, Hashable, Codable {
    /// The id of the run of the machine that `uptime` belongs to.
    public var boot: String
    /// Seconds since the machine started, sleep included.
    public var uptime: Double
    /// Seconds since 1970 by the wall clock.
    public var wall: Double

    /// A moment.
    public init(boot: String, uptime: Double, wall: Double) {
        self.boot = boot
        self.uptime = uptime
        self.wall = wall
    }

    /// The machine's clocks: `CLOCK_BOOTTIME` with the kernel's boot identifier, and `CLOCK_REALTIME`.
    public static func now() -> AppLockTime {
        let uptime = MachineTime.sinceBoot.components
        return AppLockTime(
            boot: MachineTime.bootID ?? "", uptime: Double(uptime.seconds) + Double(uptime.attoseconds) / 1e18,
            wall: Date().timeIntervalSince1970)
    }
}
