// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The answer to a question.
public struct AssistantAnswer: Sendable, Hashable {
    /// One or more sentences, fit to be shown and to be spoken.
    public let text: String
    /// The part of the program that it comes from.
    public let source: AnswerSource
    /// The confidence that this was the question, from 0 to 1.
    public let confidence: Double
    /// The states that it is about, the one in the question first.
    public let states: [StateInformation]
    /// Its tokens and their price; nil if it comes from this machine.
    public let usage: AnswerUsage?
    /// True if the model or tool that answered calls its answer a lasting fact, the same for everyone.
    public let lasts: Bool
    /// The time at which a kept answer was given; nil for one that was made now.
    public let answeredAt: Date?

    /// Makes an answer.
    public init(
        text: String, source: AnswerSource, confidence: Double = 1, states: [StateInformation] = [],
        usage: AnswerUsage? = nil, lasts: Bool = false, answeredAt: Date? = nil
    ) {
        self.text = text
        self.source = source
        self.confidence = confidence
        self.states = states
        self.usage = usage
        self.lasts = lasts
        self.answeredAt = answeredAt
    }
}

/// The part of the program that an answer comes from.
public enum AnswerSource: Sendable, Hashable {
    /// A local intent, by its name, such as "setTimer".
    case intent(String)
    /// The knowledge about US states.
    case states
    /// An earlier answer that was kept.
    case cache
    /// A model, by its name.
    case model(String)
    /// A tool, by its name.
    case tool(String)

    /// Reads ``text``; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : nil) {
        case ("intent", let name?): self = .intent(name)
        case ("states", nil): self = .states
        case ("cache", nil): self = .cache
        case ("model", let name?): self = .model(name)
        case ("tool", let name?): self = .tool(name)
        default: return nil
        }
    }

    /// The kind of the part: "states", "model", "intent".
    public var kind: String {
        switch self {
        case .intent: "intent"
        case .states: "states"
        case .cache: "cache"
        case .model: "model"
        case .tool: "tool"
        }
    }

    /// The form for stores and programs: "states", "model:gpt-5", "intent:setTimer".
    public var text: String {
        switch self {
        case .intent(let name): "intent:\(name)"
        case .states: "states"
        case .cache: "cache"
        case .model(let name): "model:\(name)"
        case .tool(let name): "tool:\(name)"
        }
    }
}

/// The tokens of an answer and their price.
public struct AnswerUsage: Sendable, Hashable {
    /// The tokens that the model read.
    public var inputTokens: Int
    /// The tokens that the model wrote.
    public var outputTokens: Int
    /// The price in US dollars; nil if the model has no known price.
    public var cost: Double?

    /// Tokens and their price.
    public init(inputTokens: Int, outputTokens: Int, cost: Double?) {
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cost = cost
    }

    /// The sum of both; its price is known if both are.
    static func + (first: AnswerUsage, second: AnswerUsage) -> AnswerUsage {
        AnswerUsage(
            inputTokens: first.inputTokens + second.inputTokens,
            outputTokens: first.outputTokens + second.outputTokens,
            cost: first.cost.flatMap { cost in second.cost.map { cost + $0 } })
    }

    /// The tokens since an earlier total of the same conversation.
    func since(_ earlier: AnswerUsage) -> AnswerUsage {
        AnswerUsage(
            inputTokens: inputTokens - earlier.inputTokens, outputTokens: outputTokens - earlier.outputTokens,
            cost: cost.flatMap { cost in earlier.cost.map { cost - $0 } })
    }

    /// No tokens.
    static let none = AnswerUsage(inputTokens: 0, outputTokens: 0, cost: 0)
}
