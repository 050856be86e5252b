// SPDX-License-Identifier: MIT

import Glibc

/// A reading of the system's monotonic clock, in nanoseconds.
struct MonotonicTime: Comparable, Sendable {
    let nanoseconds: Int64

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// A moment that has passed.
    static let distantPast = MonotonicTime(nanoseconds: 0)
    /// A moment that does not come.
    static let never = MonotonicTime(nanoseconds: .max)

    static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }

    /// The time so much later; saturates instead of overflowing.
    func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsAgain) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        let (result, overflowsAtLast) = nanoseconds.addingReportingOverflow(sum)
        return MonotonicTime(nanoseconds: overflows || overflowsAgain || overflowsAtLast ? .max : result)
    }

    /// The time so much later.
    func advanced(byMilliseconds milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + Int64(milliseconds) * 1_000_000)
    }

    func duration(since earlier: MonotonicTime) -> Duration {
        .nanoseconds(nanoseconds - earlier.nanoseconds)
    }

    /// Whole milliseconds until then, rounded up so that a wait never ends early; `maximum` at most.
    func milliseconds(since earlier: MonotonicTime, maximum: Int32) -> Int32 {
        guard nanoseconds > earlier.nanoseconds else { return 0 }
        let distance = (nanoseconds - earlier.nanoseconds) / 1_000_000
        return distance >= Int64(maximum) ? maximum : Int32(distance) + 1
    }
}
