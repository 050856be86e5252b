// SPDX-License-Identifier: MIT

/// The prices of tokens, by model.
public struct PriceTable: Sendable, Hashable {
    /// The prices of one model, in US dollars for a million tokens.
    public struct Price: Sendable, Hashable {
        /// Input that is not from the cache.
        public var input: Double
        /// Input from the cache.
        public var cachedInput: Double
        /// The answer, reasoning included.
        public var output: Double

        /// Prices, in US dollars for a million tokens.
        public init(input: Double, cachedInput: Double, output: Double) {
            self.input = input
            self.cachedInput = cachedInput
            self.output = output
        }
    }

    /// The prices, by the model's name.
    public var prices: [String: Price]
    /// The source of the prices, and its date.
    public var source: String

    /// A table of your own.
    public init(prices: [String: Price], source: String) {
        self.prices = prices
        self.source = source
    }

    /// The price of that model; a dated name (`gpt-5-2025-08-07`) has the price of the name without the date.
    public subscript(model: String) -> Price? {
        if let price = prices[model] { return price }
        guard let match = model.firstMatch(of: /-\d{4}-\d{2}-\d{2}$/) else { return nil }
        return prices[String(model[..<match.range.lowerBound])]
    }

    /// The cost of that usage in US dollars; `nil` for a model without a price. A modality without a price costs what text
    /// does.
    public func cost(of usage: Usage, model: String) -> Double? { bill(of: usage, model, others: self[model])?.total }

    /// The cost of that usage in a voice session by item of the bill; `nil` if something that it used has no price.
    public func cost(of usage: Usage, model: RealtimeModel) -> RealtimeCost? { bill(of: usage, model.rawValue) }

    private func bill(of usage: Usage, _ model: String, others: Price? = nil) -> RealtimeCost? {
        func cost(_ modality: Usage.Modality, _ prefix: String) -> Double? {
            let tokens = usage[modality]
            guard tokens.inputTokens > 0 || tokens.outputTokens > 0 else { return 0 }
            guard let price = self[prefix + model] ?? others else { return nil }
            let cached = Double(tokens.cachedInputTokens)
            let fresh = Double(max(tokens.inputTokens - tokens.cachedInputTokens, 0))
            return (fresh * price.input + cached * price.cachedInput + Double(tokens.outputTokens) * price.output) / 1e6
        }
        guard let text = cost(.text, ""), let audio = cost(.audio, "audio:"), let image = cost(.image, "image:") else {
            return nil
        }
        return RealtimeCost(text: text, audio: audio, image: image)
    }
}
