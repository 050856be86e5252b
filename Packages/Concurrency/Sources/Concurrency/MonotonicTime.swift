// SPDX-License-Identifier: MIT

import Glibc

/// A reading of `CLOCK_MONOTONIC`, which cannot be set and stops while the machine sleeps, in nanoseconds. For
/// deadlines that end in a system call; code that sleeps and is tested takes a `Clock`.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary moment, about that of the machine's start.
    public let nanoseconds: Int64

    /// A reading.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The time now; reading it makes no system call.
    public static var now: MonotonicTime { MonotonicTime(nanoseconds: MachineTime.nanoseconds(of: CLOCK_MONOTONIC)) }
    /// A moment that has passed.
    public static let distantPast = MonotonicTime(nanoseconds: 0)
    /// A moment that is never reached.
    public static let never = MonotonicTime(nanoseconds: .max)

    /// True if the first is earlier.
    public static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }

    /// The time after a duration; saturates instead of overflowing.
    public func advanced(by duration: Duration) -> MonotonicTime {
        let (sum, overflows) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicTime(nanoseconds: overflows ? .max : sum)
    }

    /// The time from an earlier reading to this one.
    public func duration(since earlier: MonotonicTime) -> Duration { .nanoseconds(nanoseconds - earlier.nanoseconds) }

    /// The time from another reading to this one in the form of `poll` and `epoll_wait`: whole milliseconds, rounded up
    /// so that a wait never ends early; −1, without end, for ``never``.
    public func milliseconds(since earlier: MonotonicTime) -> Int32 {
        if self == .never { return -1 }
        guard nanoseconds > earlier.nanoseconds else { return 0 }
        return Int32(clamping: (nanoseconds - earlier.nanoseconds) / 1_000_000 + 1)
    }
}

/// The run of the machine: its id, and the time since it started.
public enum MachineTime {
    /// The kernel's id of this run (`boot_id` of random(4)), a new one with every start; nil if `/proc` is missing.
    public static var bootID: String? {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)
    }

    /// The time since the machine started, sleep included (`CLOCK_BOOTTIME`).
    public static var sinceBoot: Duration { .nanoseconds(nanoseconds(of: CLOCK_BOOTTIME)) }

    fileprivate static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, saturated.
    public var wholeNanoseconds: Int64 {
        let (scaled, overflows) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsAgain) = scaled.addingReportingOverflow(components.attoseconds / 1_000_000_000)
        return overflows || overflowsAgain ? (components.seconds < 0 ? .min : .max) : sum
    }
}
