// SPDX-License-Identifier: MIT

public import Domain
public import Echo

/// The cost of a conversation with models.
public struct ModelCost: Sendable, Equatable {
    /// Tokens, by model.
    public var usage: [String: Usage] = [:]
    /// The cost in US dollars, of the models that have a price.
    public var cost = 0.0
    /// The models without a price.
    public var unpriced: [String] = []
    /// The number of answers for which the server reported no tokens.
    public var unknown = 0
    /// The budget in US dollars; nil for no limit.
    public var budget: Double?

    /// No cost.
    public init() {}

    /// The tokens of all models.
    public var total: Usage { usage.values.reduce(Usage(), +) }
}

extension AnswerUsage {
    /// All tokens and their price, which is known if every model has one.
    public init(_ cost: ModelCost) {
        self.init(
            inputTokens: cost.total.inputTokens, outputTokens: cost.total.outputTokens,
            cost: cost.unpriced.isEmpty ? cost.cost : nil)
    }

    /// The tokens and the cost that were added since; nil for none.
    init?(_ now: ModelCost, since before: ModelCost) {
        let input = now.total.inputTokens - before.total.inputTokens
        let output = now.total.outputTokens - before.total.outputTokens
        guard input > 0 || output > 0 else { return nil }
        self.init(
            inputTokens: input, outputTokens: output, cost: now.unpriced.isEmpty ? now.cost - before.cost : nil)
    }
}
