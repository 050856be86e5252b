// SPDX-License-Identifier: MIT

import Concurrency

/// Counts tokens and their cost over all requests of one ``Echo``, and refuses more when the budget is used up.
///
/// Safe to use from any number of tasks. Requests that run at the same time may exceed the budget together; the next
/// one is refused. Models without a price count tokens only. An answer that was interrupted, or that a server sends
/// without usage, is counted in ``Totals/requestsWithoutUsage``.
public final class UsageMeter: Sendable {
    /// The totals so far.
    public struct Totals: Sendable, Hashable {
        /// The tokens, by the model's name.
        public var usage: [String: Usage] = [:]
        /// The cost of the requests that have a price, in US dollars.
        public var cost = 0.0
        /// The part of ``cost`` that was for voice, by item of the bill.
        public var voice = RealtimeCost()
        /// The number of answers with unknown usage.
        public var requestsWithoutUsage = 0

        /// The tokens of all models together.
        public var total: Usage { usage.values.reduce(Usage(), +) }
    }

    /// Counts the usage of voice.
    ///
    /// - Returns: False if it was counted before.
    package func add(_ cost: RealtimeCost?, _ usage: Usage, model: String, id: String?) -> Bool {
        state.withLock { state in
            guard state.isNew(id) else { return false }
            if usage.totalTokens > 0 { state.totals.usage[model, default: Usage()] += usage }
            guard let cost else { return true }
            state.totals.voice += cost
            state.totals.cost += cost.total
            return true
        }
    }

    private struct State: Sendable {
        var totals = Totals()
        var limit: Double?
        /// Answers that were counted, so that an answer that is retrieved again is not counted twice.
        var counted: Set<String> = []

        mutating func isNew(_ id: String?) -> Bool {
            guard let id, !id.isEmpty else { return true }
            // All are dropped at once, so that memory stays bounded; answers that old are not retrieved again.
            if counted.count >= 10_000 { counted = [] }
            return counted.insert(id).inserted
        }
    }

    /// The prices of tokens of text requests.
    public let prices: PriceTable
    /// The prices of voice.
    public let voicePrices: PriceTable
    private let state: Guarded<State>

    /// A meter at zero.
    ///
    /// - Parameters:
    ///   - prices: The prices of text requests.
    ///   - voicePrices: The prices of voice.
    ///   - budget: In US dollars; `nil` for no limit.
    public init(
        prices: PriceTable = .published, voicePrices: PriceTable = .publishedRealtime, budget: Double? = nil
    ) {
        self.prices = prices
        self.voicePrices = voicePrices
        state = Guarded(State(limit: budget))
    }

    /// The totals so far.
    public var totals: Totals { state.withLock { $0.totals } }

    /// The limit in US dollars; it can be raised.
    public var budget: Double? {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Refuses a request when the budget is used up.
    ///
    /// - Throws: ``EchoError/budgetExceeded(spent:limit:)``.
    public func admit() throws(EchoError) {
        let (spent, limit) = state.withLock { ($0.totals.cost, $0.limit) }
        if let limit, spent >= limit { throw .budgetExceeded(spent: spent, limit: limit) }
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - usage: Its tokens, if the server sent them.
    ///   - model: The model that answered.
    ///   - requestedModel: The requested model, whose price is used if the other has none.
    ///   - id: The answer's id; an answer is counted once.
    public func record(_ usage: Usage?, model: String, requestedModel: String? = nil, id: String? = nil) {
        state.withLock { state in
            guard state.isNew(id) else { return }
            guard let usage else {
                state.totals.requestsWithoutUsage += 1
                return
            }
            let priced = prices[model] == nil ? requestedModel ?? model : model
            state.totals.usage[requestedModel ?? model, default: Usage()] += usage
            state.totals.cost += prices.cost(of: usage, model: priced) ?? 0
        }
    }
}
