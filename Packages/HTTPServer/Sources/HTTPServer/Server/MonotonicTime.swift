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

    /// A moment that does not come.
    static let never = MonotonicTime(nanoseconds: .max)

    static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }

    /// The time so much later; saturates instead of overflowing.
    func advanced(by duration: Duration) -> MonotonicTime {
        let (sum, overflows) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return MonotonicTime(nanoseconds: overflows ? .max : sum)
    }

    func duration(since earlier: MonotonicTime) -> Duration {
        .nanoseconds(nanoseconds - earlier.nanoseconds)
    }

    /// Whole milliseconds from another time until this one for epoll_wait, rounded up so that a wait never ends early.
    func milliseconds(since earlier: MonotonicTime) -> Int32 {
        if self == .never { return -1 }
        guard nanoseconds > earlier.nanoseconds else { return 0 }
        return Int32(clamping: (nanoseconds - earlier.nanoseconds) / 1_000_000 + 1)
    }
}

extension Duration {
    /// In nanoseconds, saturated.
    var wholeNanoseconds: Int64 {
        let (scaled, overflows) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsAgain) = scaled.addingReportingOverflow(components.attoseconds / 1_000_000_000)
        return overflows || overflowsAgain ? .max : sum
    }

    /// How long so many bytes may take at a rate.
    static func forTransfer(of bytes: Int, at bytesPerSecond: Int) -> Duration {
        bytesPerSecond > 0
            ? .milliseconds(min(Int64(bytes), 1 << 50) * 1_000 / Int64(bytesPerSecond)) : .seconds(1 << 32)
    }
}
