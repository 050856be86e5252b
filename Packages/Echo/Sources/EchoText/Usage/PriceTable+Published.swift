// SPDX-License-Identifier: MIT

extension PriceTable {
    /// OpenAI's published prices of the listed models. Prices change: give ``EchoConfiguration/prices`` newer ones.
    public static let published = PriceTable(
        prices: [
            "gpt-5": Price(input: 1.25, cachedInput: 0.125, output: 10),
            "gpt-5-mini": Price(input: 0.25, cachedInput: 0.025, output: 2),
            "gpt-5-nano": Price(input: 0.05, cachedInput: 0.005, output: 0.4),
            "text-embedding-3-small": Price(input: 0.02, cachedInput: 0.02, output: 0),
            "text-embedding-3-large": Price(input: 0.13, cachedInput: 0.13, output: 0),
            "text-embedding-ada-002": Price(input: 0.1, cachedInput: 0.1, output: 0),
        ],
        source: "https://openai.com/api/pricing, standard tier, as of August 2025")
}
