// SPDX-License-Identifier: MIT

/// The tokens of one request, or of several together.
public struct Usage: Sendable, Hashable {
    /// Tokens of the input, those from the cache included.
    public var inputTokens: Int
    /// The input tokens that came from the cache, at a lower price.
    public var cachedInputTokens: Int
    /// Tokens of the answer, reasoning included.
    public var outputTokens: Int
    /// The answer's tokens of reasoning, which is not shown.
    public var reasoningTokens: Int
    /// The server's total: input and output. Cached and reasoning tokens are not counted again.
    public var totalTokens: Int

    /// Usage; the total is input and output unless given.
    public init(
        inputTokens: Int = 0, cachedInputTokens: Int = 0, outputTokens: Int = 0, reasoningTokens: Int = 0,
        totalTokens: Int? = nil
    ) {
        self.inputTokens = inputTokens
        self.cachedInputTokens = cachedInputTokens
        self.outputTokens = outputTokens
        self.reasoningTokens = reasoningTokens
        self.totalTokens = totalTokens ?? inputTokens.addingClamped(outputTokens)
    }

    /// The sum of both.
    public static func + (first: Usage, second: Usage) -> Usage {
        Usage(
            inputTokens: first.inputTokens.addingClamped(second.inputTokens),
            cachedInputTokens: first.cachedInputTokens.addingClamped(second.cachedInputTokens),
            outputTokens: first.outputTokens.addingClamped(second.outputTokens),
            reasoningTokens: first.reasoningTokens.addingClamped(second.reasoningTokens),
            totalTokens: first.totalTokens.addingClamped(second.totalTokens))
    }

    /// Adds the other to this.
    public static func += (first: inout Usage, second: Usage) { first = first + second }
}

extension Usage {
    /// The `usage` of a response, or the chat API's, whose names differ; `nil` if it is missing.
    init?(json: JSONValue?) {
        guard let json, let object = json.object else { return nil }
        func count(_ value: JSONValue?) -> Int? { value?.integer.map { Swift.max($0, 0) } }
        let input = count(object["input_tokens"]) ?? count(object["prompt_tokens"])
        let output = count(object["output_tokens"]) ?? count(object["completion_tokens"])
        guard input != nil || output != nil else { return nil }
        let inputDetails = object["input_tokens_details"] ?? object["prompt_tokens_details"]
        let outputDetails = object["output_tokens_details"] ?? object["completion_tokens_details"]
        self.init(
            inputTokens: input ?? 0,
            cachedInputTokens: min(count(inputDetails?["cached_tokens"]) ?? 0, input ?? 0),
            outputTokens: output ?? 0,
            reasoningTokens: min(count(outputDetails?["reasoning_tokens"]) ?? 0, output ?? 0),
            totalTokens: count(object["total_tokens"]))
    }

    /// The form of the responses API.
    var json: JSONValue {
        [
            "input_tokens": .integer(inputTokens),
            "input_tokens_details": ["cached_tokens": .integer(cachedInputTokens)],
            "output_tokens": .integer(outputTokens),
            "output_tokens_details": ["reasoning_tokens": .integer(reasoningTokens)],
            "total_tokens": .integer(totalTokens),
        ]
    }
}

extension Int {
    /// The sum, or the largest number if it does not fit: a hostile server's counts must not trap.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
