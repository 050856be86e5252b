// SPDX-License-Identifier: MIT
internal import Glibc

/// The clock of ALSA's time stamps, `CLOCK_MONOTONIC`, in nanoseconds; reading it needs no system call.
enum MonotonicTime {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Turns monotonic nanoseconds into instants of `ContinuousClock`, which also counts while the machine sleeps.
struct InstantMap {
    private var base = ContinuousClock.now
    private var monotonicBase = MonotonicTime.now()

    /// The instant at `time`. Two calls in a row agree with each other unless the machine slept between them.
    mutating func instant(of time: Int64) -> ContinuousClock.Instant {
        let now = MonotonicTime.now()
        let expected = base + .nanoseconds(now - monotonicBase)
        if expected.duration(to: .now) > .milliseconds(50) {
            base = .now
            monotonicBase = MonotonicTime.now()
        }
        return base + .nanoseconds(time - monotonicBase)
    }
}
