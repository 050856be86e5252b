// SPDX-License-Identifier: MIT

/// What all of a client's requests may spend on retries together, so that a failing server is not buried under them
/// (the AWS SDKs' standard mode).
struct RetryBudget: Sendable {
    static let capacity = 500
    static let retryCost = 5
    static let timeoutCost = 10

    private(set) var tokens = capacity

    /// Pays for one retry.
    ///
    /// - Returns: The price, or `nil` if there is not enough left.
    mutating func spend(afterTimeout: Bool) -> Int? {
        let cost = afterTimeout ? Self.timeoutCost : Self.retryCost
        guard tokens >= cost else { return nil }
        tokens -= cost
        return cost
    }

    /// Takes back what the last retry cost after it succeeded, or one token for a first try that did.
    mutating func refund(_ cost: Int?) {
        tokens = min(Self.capacity, tokens + (cost ?? 1))
    }
}
