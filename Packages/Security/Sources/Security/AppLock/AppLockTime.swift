// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// A moment on two clocks: one that nobody can set but that starts anew with the machine, and one that goes on but can be
/// set.
public struct AppLockTime: Sendable, Hashable, Codable {
    /// Names the run of the machine that `uptime` belongs to.
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
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return AppLockTime(
            boot: boot.map { String($0.prefix { $0 != "\n" }) } ?? "", uptime: seconds(of: CLOCK_BOOTTIME),
            wall: seconds(of: CLOCK_REALTIME))
    }

    private static func seconds(of clock: Int32) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
