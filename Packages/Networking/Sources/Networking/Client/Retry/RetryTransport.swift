// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Repeats requests that failed for a passing reason and are safe to repeat.
///
/// A response that stays bad after the last attempt is delivered; an error carries every attempt.
final class RetryTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let policy: RetryPolicy
    private let clock: ClientClock
    private let random: RandomSource
    private let budget = Guarded(RetryBudget())

    /// The stage in front of `next`.
    convenience init(
        next: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.init(next: next, policy: policy, clock: clock, random: RandomSource(random))
    }

    init(next: any HTTPTransport, policy: RetryPolicy, clock: ClientClock, random: RandomSource) {
        self.next = next
        self.policy = policy
        self.clock = clock
        self.random = random
    }

    /// Sends the request, more than once if needed.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        let hasKey = request.headers.contains(name: "Idempotency-Key")
        if policy.addsIdempotencyKey, !hasKey, [.post, .patch].contains(request.method),
            request.options.isRepeatable != false
        {
            request.headers["Idempotency-Key"] = random.key()
        }
        let isSafe =
            request.options.isRepeatable
            ?? (request.method.isIdempotent || request.headers.contains(name: "Idempotency-Key"))
        var machine = RetryStateMachine(policy: policy, isRepeatable: isSafe && request.body.isRepeatable)
        let start = clock.now()
        while true {
            let began = clock.now()
            let result: Result<HTTPResponse, NetworkError>
            do {
                result = .success(try await next.send(request))
            } catch let error as NetworkError {
                result = .failure(error)
            }
            let outcome: RetryStateMachine.Outcome =
                switch result {
                case .success(let response):
                    .response(
                        status: response.status, retryAfter: response.headers.retryAfter(now: clock.date()))
                case .failure(let error): .failure(error)
                }
            let action = budget.withLock { budget in
                machine.attemptEnded(
                    outcome, started: began - start, duration: clock.now() - began, budget: &budget,
                    unit: random.unit())
            }
            switch (action, result) {
            case (.finish, .success(var response)):
                response.attempts = machine.attempts
                return response
            case (.finish, .failure(var error)):
                error.attempts = machine.attempts
                throw error
            case (.retry(let delay), _):
                if case .success(let response) = result { await response.discard() }
                try await clock.sleep(delay)
            }
        }
    }
}
