// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Glibc
import HTTPServer
import Networking

/// Limits the calls of each account, in memory: a restart resets the counts.
final class CallLimits: Sendable {
    /// The number of accounts above which those without recent calls are dropped.
    private static let maximumAccounts = 10_000

    private let perMinute: Int
    private let clock: AuthClock
    private let buckets = Guarded<[String: RateBucket]>([:])

    /// - Parameters:
    ///   - perMinute: The most calls in a minute; 0 for any number.
    ///   - clock: A monotonic clock.
    init(perMinute: Int, clock: AuthClock) {
        (self.perMinute, self.clock) = (perMinute, clock)
    }

    /// Counts a call.
    ///
    /// - Throws: A 429 with the time of the next attempt.
    func count(_ account: String) throws(ServerProblem) {
        guard perMinute > 0 else { return }
        let now = clock.now()
        let next = buckets.withLock { buckets in
            if buckets.count > Self.maximumAccounts { buckets = buckets.filter { $0.value.emptyAt > now } }
            return buckets[account, default: RateBucket()].take(at: now, limit: perMinute, per: .seconds(60))
        }
        guard let next else { return }
        let wait = max(1, (next.milliseconds - now.milliseconds + 999) / 1_000)
        throw ServerProblem(
            status: 429, detail: "The account has called too often. Wait, then try again.",
            members: [
                "error_code": .string(AuthServerError.Code.tooManyRequests.rawValue),
                "retry_after": .integer(Int(wait)),
            ], headers: ["Retry-After": "\(wait)"])
    }
}

extension AuthClock {
    /// The time since the machine was started; it continues while the machine sleeps (clock_gettime(2),
    /// `CLOCK_BOOTTIME`).
    static let monotonic = AuthClock {
        AuthTime(milliseconds: MachineTime.sinceBoot.wholeNanoseconds / 1_000_000)
    }
}
