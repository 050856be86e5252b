// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// The rate limits of one server, for all models: lets requests wait for their share.
///
/// A request says its model and cost by ``$share``, which the stage next to the network reads for each attempt, so that
/// a repeated request takes its share again.
final class RateLimiter: Sendable {
    /// The share of a request.
    struct Share: Sendable {
        var model: String
        /// An estimate of the tokens of the input.
        var tokens: Int
    }

    /// The share of the request that the task sends; `nil` for a request without limits, such as a deletion.
    @TaskLocal static var share: Share?
    /// The receiver of the waits of the task's requests; `nil` for the limiter's own.
    @TaskLocal static var listener: Listener?

    /// A receiver of waits. A type of its own: an optimised build finds no metadata for a task-local function.
    struct Listener: Sendable {
        let receive: @Sendable (RateLimitWait) async -> Void
    }

    private struct State {
        var buckets: [String: RateLimitBuckets] = [:]
        var listener: Listener?
    }

    private let limits: RequestLimits
    private let clock: ClientClock
    private let state = Guarded(State())

    init(_ limits: RequestLimits, clock: ClientClock) {
        self.limits = limits
        self.clock = clock
    }

    /// Sets the receiver of waits outside of conversations.
    func listen(_ listener: @escaping @Sendable (RateLimitWait) async -> Void) {
        state.withLock { $0.listener = Listener(receive: listener) }
    }

    /// Waits until a request may be sent.
    ///
    /// - Throws: ``EchoError/rateLimitExceeded`` if the wait would be too long; `CancellationError`.
    func admit(_ share: Share) async throws {
        let wait = change(share.model) { $0.take(tokens: share.tokens, at: $1) }
        guard let wait else { return }
        await (Self.listener ?? state.withLock { $0.listener })?.receive(wait)
        guard !wait.isTooLong else { throw EchoError.rateLimitExceeded }
        do {
            try await clock.sleep(wait.duration)
        } catch {
            giveBack(share)
            throw error
        }
    }

    /// Returns the share of a request that did not reach the server.
    func giveBack(_ share: Share) { change(share.model) { buckets, _ in buckets.giveBack(tokens: share.tokens) } }

    /// Follows a response's limits.
    func answered(_ share: Share, _ status: RateLimitStatus, isRefusal: Bool) {
        change(share.model) { buckets, now in
            buckets.answered(tokens: share.tokens)
            buckets.note(
                .requests, count: status.requestLimit, remaining: status.remainingRequests,
                reset: status.requestReset, at: now)
            buckets.note(
                .tokens, count: status.tokenLimit, remaining: status.remainingTokens, reset: status.tokenReset, at: now)
            if isRefusal, let wait = status.retryAfter { buckets.pause(for: wait, at: now) }
        }
    }

    /// Charges the tokens of an answer.
    func charge(_ tokens: Int, model: String) { change(model) { $0.charge(tokens: tokens, at: $1) } }

    @discardableResult
    private func change<Result: Sendable>(
        _ model: String, _ body: (inout RateLimitBuckets, Duration) -> Result
    ) -> Result {
        let now = clock.now()
        return state.withLock { state in
            body(&state.buckets[model, default: RateLimitBuckets(limits, at: now)], now)
        }
    }
}

/// The stage that makes each attempt of a request wait for its share, and follows the limits of its response.
struct RateLimitedTransport: HTTPTransport {
    let next: any HTTPTransport
    let limiter: RateLimiter

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let share = RateLimiter.share else { return try await next.send(request) }
        do {
            try await limiter.admit(share)
        } catch let error as EchoError {
            throw NetworkError(code: .rateLimit, message: error.description, underlying: error)
        }
        do {
            let response = try await next.send(request)
            limiter.answered(share, RateLimitStatus(response.headers), isRefusal: response.status == 429)
            return response
        } catch {
            limiter.giveBack(share)
            throw error
        }
    }
}

extension NetworkError.Code {
    /// A wait for a rate limit would be too long.
    fileprivate static let rateLimit = Self(rawValue: "rateLimit")
}
