// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Glibc
import HTTPServer
import Networking

/// Limits the calls of each account. A bucket in memory is the first line; on a shared database rows count the calls of
/// all instances.
///
/// An instance takes a second's worth of calls from the row at once and hands them out within ten seconds. So the limit
/// holds over all instances, and most calls cost no statement.
final class CallLimits: Sendable {
    /// The number of accounts above which those without recent calls are dropped.
    private static let maximumAccounts = 10_000
    private static let allowanceLifetime: Duration = .seconds(10)

    /// Calls that the row has counted and nobody has made.
    private struct Allowance {
        var calls: Int
        let until: AuthTime
    }

    private struct State {
        var buckets: [String: RateBucket] = [:]
        var allowances: [String: Allowance] = [:]
    }

    private let perMinute: Int
    private let clock: AuthClock
    private let rates: SharedCallRates?
    private let logger: Logger
    private let state = Guarded(State())

    /// - Parameters:
    ///   - perMinute: The most calls in a minute; 0 for any number.
    ///   - clock: A monotonic clock.
    ///   - database: Counts the calls if it is shared.
    ///   - kind: Names the calls that are counted together.
    init(perMinute: Int, clock: AuthClock, database: any ServerDatabase, kind: String, logger: Logger) {
        (self.perMinute, self.clock, self.logger) = (perMinute, clock, logger)
        rates =
            database.isShared && perMinute > 0
            ? SharedCallRates(database: database, kind: kind, perMinute: perMinute) : nil
    }

    /// Counts a call.
    ///
    /// - Throws: A 429 with the time of the next attempt.
    func count(_ account: String) async throws(ServerProblem) {
        guard perMinute > 0 else { return }
        let now = clock.now()
        let next = state.withLock { state in
            if state.buckets.count > Self.maximumAccounts {
                state.buckets = state.buckets.filter { $0.value.emptyAt > now }
                state.allowances = state.allowances.filter { $0.value.until > now }
            }
            return state.buckets[account, default: RateBucket()].take(at: now, limit: perMinute, per: .seconds(60))
        }
        if let next { throw Self.problem(wait: next.milliseconds - now.milliseconds) }
        guard let rates, !usesAllowance(of: account, at: now) else { return }
        do {
            let calls = max(1, perMinute / 60)
            if try await rates.take(calls, of: account) == nil {
                return add(calls - 1, to: account, until: now + Self.allowanceLifetime)
            }
        } catch {
            // The call itself says that the database is gone; until then the bucket in memory limits.
            logger.debug("a call was not counted: \(String(describing: error), privacy: .public)")
            return
        }
        // The last calls of a limit are taken one by one.
        guard let wait = (try? await rates.take(1, of: account)) ?? nil else { return }
        throw Self.problem(wait: wait)
    }

    private func usesAllowance(of account: String, at now: AuthTime) -> Bool {
        state.withLock { state in
            guard let allowance = state.allowances[account] else { return false }
            guard allowance.calls > 0, allowance.until > now else {
                state.allowances[account] = nil
                return false
            }
            state.allowances[account]?.calls -= 1
            return true
        }
    }

    private func add(_ calls: Int, to account: String, until time: AuthTime) {
        guard calls > 0 else { return }
        state.withLock { state in
            // Two calls at once may both have asked the row.
            let known = state.allowances[account]?.calls ?? 0
            state.allowances[account] = Allowance(calls: known + calls, until: time)
        }
    }

    private static func problem(wait milliseconds: Int64) -> ServerProblem {
        let wait = max(1, (milliseconds + 999) / 1_000)
        return ServerProblem(
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
