// SPDX-License-Identifier: MIT

import Concurrency

/// The API's count for each estimated token: the measurement of one conversation, which outlives its engines.
package final class TokenScale: Sendable {
    /// The scale without a measurement. Prose of this repository in English, German, Spanish and Arabic, and its code, has
    /// 0.31 to 0.33 tokens (o200k) for each estimated one, Japanese 0.45; random letters have up to 1.
    static let unmeasured = 0.5
    private static let margin = 1.1

    private let measured = Guarded<Double?>(nil)
    private let shared: TokenScale?

    /// - Parameter shared: The scale before the first measurement; it gets the measurements, too.
    init(_ shared: TokenScale? = nil) { self.shared = shared }

    package var value: Double { measured.withLock(\.self) ?? shared?.value ?? Self.unmeasured }

    /// Takes the API's count, with a margin.
    func learn(estimated: Int, actual: Int) {
        // A few tokens are no good sample.
        guard estimated >= 200, actual > 0 else { return }
        set(min(1.5, max(0.1, Double(actual) / Double(estimated) * Self.margin)))
    }

    func set(_ scale: Double) {
        measured.withLock { $0 = scale }
        shared?.set(scale)
    }
}

/// The size of the history that fits a model. Counts are estimates, scaled by the API's counts.
package struct ContextBudget: Sendable {
    /// The window of a model of an endpoint's own, whose true window is unknown.
    static let unknownWindow = 128_000
    private static let perItem = 8
    /// The estimate for a picture or a page, whose true cost only the model knows.
    private static let perAttachment = 1_000

    private static let estimator = TokenEstimator()
    /// The limit of input tokens.
    package let limit: Int
    let scale: TokenScale

    init(model: ResponsesModel, configuration: EchoConfiguration, scale: TokenScale = TokenScale()) {
        self.init(
            window: model.contextWindow, answer: model.maximumOutputTokens, configuration: configuration, scale: scale)
    }

    /// The budget of voice.
    package init(model: RealtimeModel, configuration: EchoConfiguration, scale: TokenScale) {
        self.init(
            window: model.contextWindow, answer: model.maximumOutputTokens, configuration: configuration, scale: scale)
    }

    private init(window: Int?, answer: Int?, configuration: EchoConfiguration, scale: TokenScale) {
        let answer = configuration.maximumOutputTokens.map { min($0, answer ?? $0) } ?? answer ?? 4_096
        self.init(limit: (configuration.contextWindow ?? window ?? Self.unknownWindow) - answer, scale: scale)
    }

    init(limit: Int, scale: TokenScale = TokenScale()) {
        self.limit = max(0, limit)
        self.scale = scale
    }

    /// Goes back to the estimate, which errs on the long side, after the API has refused a request as too long.
    ///
    /// - Parameter estimate: The estimate of the request.
    /// - Returns: True if a shorter history may be sent now.
    func distrustScale(after estimate: Int) -> Bool {
        guard scale.value < 1, estimate > limit else { return false }
        scale.set(1)
        return true
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

    /// The newest part of a history that may be sent, and the estimate of the request with it, before scaling.
    func fit(_ history: ResponseHistory, fixed: Int) -> (items: [ResponseItem], estimate: Int) {
        guard !fits(history, fixed: fixed) else { return (history.items, estimate(history, fixed: fixed)) }
        let room = Int(Double(limit) / scale.value) - fixed
        let kept = HistoryTruncation.newestIndices(history.items, costs: history.costs, within: room)
        return (kept.map { history.items[$0] }, kept.reduce(fixed) { $0 + history.costs[$1] })
    }

    package func scaled(_ tokens: Int) -> Int { Int((Double(tokens) * scale.value).rounded(.up)) }

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
