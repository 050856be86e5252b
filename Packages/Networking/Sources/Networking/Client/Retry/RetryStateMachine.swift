// SPDX-License-Identifier: MIT

import Concurrency

/// Decides after each attempt of one request if another follows. Pure: time and chance are arguments.
struct RetryStateMachine {
    /// The outcome of an attempt.
    enum Outcome {
        case response(status: Int, retryAfter: Duration?)
        case failure(NetworkError)
    }

    /// The next step.
    enum Action: Equatable {
        /// The outcome is final.
        case finish
        /// Try again after this wait.
        case retry(after: Duration)
    }

    private let policy: RetryPolicy
    private let isRepeatable: Bool
    private var lastCost: Int?
    private(set) var attempts: [HTTPAttempt] = []

    init(policy: RetryPolicy, isRepeatable: Bool) {
        self.policy = policy
        self.isRepeatable = isRepeatable
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - started: The start of the attempt, counted from the first attempt's.
    ///   - unit: A random number from zero up to one; drawn only for a retry.
    mutating func attemptEnded(
        _ outcome: Outcome, started: Duration, duration: Duration, budget: inout RetryBudget,
        unit: @autoclosure () -> Double
    ) -> Action {
        let number = attempts.count + 1
        let mayRetry: Bool
        var isTimeout = false
        var asked: Duration?
        switch outcome {
        case .response(let status, let retryAfter):
            attempts.append(
                HTTPAttempt(number: number, started: started, duration: duration, status: status, code: nil))
            if status < 400 { budget.refund(lastCost) }
            mayRetry = policy.statuses.contains(status)
            asked = retryAfter
        case .failure(let error):
            attempts.append(
                HTTPAttempt(number: number, started: started, duration: duration, status: nil, code: error.code))
            mayRetry = error.passesSoon && !policy.exceptions.contains(error.code)
            isTimeout = [.connectTimeout, .firstByteTimeout, .idleTimeout, .timeout].contains(error.code)
        }
        guard mayRetry, isRepeatable, number < policy.maximumAttempts else { return .finish }
        if let asked, asked > policy.maximumRetryAfter { return .finish }
        guard let cost = budget.spend(afterTimeout: isTimeout) else { return .finish }
        lastCost = cost
        return .retry(after: max(asked ?? .zero, policy.backoff.delay(afterFailures: number, chance: unit())))
    }
}
