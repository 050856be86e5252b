// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials

/// A rate of requests.
public struct RateLimits: Sendable {
    /// A steady rate with room for bursts.
    public struct Rate: Sendable, Hashable {
        /// Requests a second.
        public var perSecond: Double
        /// The most requests at once after a quiet time.
        public var burst: Int

        /// A rate.
        public init(perSecond: Double, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    /// For each host alone; `nil` sets no limit in advance.
    public var perHost: Rate?
    /// True to slow down as servers demand: at 429, and when `x-ratelimit-*` says that no request is left.
    public var isAdaptive = true
    /// The longest wait that a server's `x-ratelimit-reset` or `Retry-After` can cause.
    public var maximumPause = Duration.seconds(60)

    /// No limit in advance, adaptive.
    public init() {}
}

/// Makes requests wait for their places. Waits end when the task is cancelled.
final class RateLimitTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let clock: ClientClock
    private let state: Guarded<RateLimitStateMachine>

    /// The stage in front of `next`.
    init(next: any HTTPTransport, limits: RateLimits, clock: ClientClock = .system) {
        self.next = next
        self.clock = clock
        state = Guarded(RateLimitStateMachine(limits: limits))
    }

    /// Sends the request when its place is free.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let host = request.url.host()?.lowercased() ?? ""
        var delay = state.withLock { $0.reserve(host: host, now: clock.now()) }
        do {
            while true {
                delay = max(delay, state.withLock { $0.pause(host: host, now: clock.now()) })
                guard delay > .zero else { break }
                try await clock.sleep(delay)
                delay = .zero
            }
        } catch {
            state.withLock { $0.giveBack(host: host) }
            throw error
        }
        let response = try await next.send(request)
        state.withLock { state in
            state.noteResponse(
                host: host, status: response.status, headers: response.headers, now: clock.now(), date: clock.date())
        }
        return response
    }
}
