// SPDX-License-Identifier: MIT

/// The size of the history that fits a model.
///
/// Counts are estimates which err on the long side, until the API says what a history really came to: from then on they are
/// scaled by that, with a margin.
package struct ContextBudget: Sendable {
    /// The window of a model of an endpoint's own, whose true window is unknown.
    static let unknownWindow = 128_000
    private static let margin = 1.1
    private static let perItem = 8
    /// The estimate for a picture or a page, whose true cost only the model knows.
    private static let perAttachment = 1_000

    private static let estimator = TokenEstimator()
    /// The limit of input tokens.
    package let limit: Int
    /// The API's count for each estimated token; 1 until it has sent one.
    private(set) var scale = 1.0

    init(model: ResponsesModel, configuration: EchoConfiguration) {
        self.init(
            window: model.contextWindow, answer: model.maximumOutputTokens, configuration: configuration)
    }

    /// The budget of voice.
    package init(model: RealtimeModel, configuration: EchoConfiguration) {
        self.init(
            window: model.contextWindow, answer: model.maximumOutputTokens, configuration: configuration)
    }

    private init(window: Int?, answer: Int?, configuration: EchoConfiguration) {
        let answer = configuration.maximumOutputTokens.map { min($0, answer ?? $0) } ?? answer ?? 4_096
        self.init(limit: (configuration.contextWindow ?? window ?? Self.unknownWindow) - answer)
    }

    init(limit: Int) { self.limit = max(0, limit) }

    /// Corrects the estimate by the API's count.
    mutating func learn(estimated: Int, actual: Int) {
        // A few tokens are no good sample.
        guard estimated >= 200, actual > 0 else { return }
        scale = min(1.5, max(0.1, Double(actual) / Double(estimated) * Self.margin))
    }

    /// The tokens before any history.
    package func cost(ofInstructions instructions: String?, tools: [Tool]) -> Int {
        cost(ofInstructions: instructions, tools: tools.map(\.responseTool))
    }

    /// The tokens before any history.
    func cost(ofInstructions instructions: String?, tools: [ResponseTool]) -> Int {
        (instructions.map { Self.estimator.tokens(in: $0) + Self.perItem } ?? 0)
            + tools.reduce(0) { $0 + Self.estimator.tokens(in: $1.json.text) + Self.perItem }
    }

    /// The estimate of a whole request, before scaling.
    func estimate(_ history: ResponseHistory, fixed: Int) -> Int { history.costs.reduce(fixed, +) }

    /// True if the whole history may be sent.
    func fits(_ history: ResponseHistory, fixed: Int) -> Bool { scaled(estimate(history, fixed: fixed)) <= limit }

    /// The newest part of a history that may be sent.
    func fit(_ history: ResponseHistory, fixed: Int) -> [ResponseItem] {
        guard !fits(history, fixed: fixed) else { return history.items }
        let room = Int(Double(limit) / scale) - fixed
        return HistoryTruncation.newest(history.items, costs: history.costs, within: room)
    }

    private func scaled(_ tokens: Int) -> Int { Int((Double(tokens) * scale).rounded(.up)) }

    /// The estimate of one item.
    package static func cost(of item: ResponseItem) -> Int {
        switch item {
        case .message(let message):
            estimator.tokens(in: message.text) + perItem
                + (item.hasAttachment ? message.content.count * perAttachment : 0)
        case .functionCall(let call):
            estimator.tokens(in: call.name) + estimator.tokens(in: call.arguments) + 2 * perItem
        case .functionCallOutput(let output): estimator.tokens(in: output.text) + 2 * perItem
        default: estimator.tokens(in: item.json.text)
        }
    }
}
