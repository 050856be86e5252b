// SPDX-License-Identifier: MIT

/// The tokens of one request or answer, or of several together, in text and voice.
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

    /// The tokens of each ``Modality``, in the order of its cases; empty if all are text.
    private var details: [Usage] = []

    /// A kind of content with prices of its own.
    public enum Modality: Int, Sendable, Hashable, CaseIterable {
        /// Text, reasoning included.
        case text
        /// Sound.
        case audio
        /// Pictures.
        case image
    }

    /// Usage of text; the total is input and output unless given.
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

    /// Usage of several modalities.
    public init(text: Usage, audio: Usage = Usage(), image: Usage = Usage()) {
        self = text + audio + image
        details = [text, audio, image]
    }

    /// The tokens of one modality.
    public subscript(modality: Modality) -> Usage {
        details.isEmpty ? modality == .text ? self : Usage() : details[modality.rawValue]
    }

    /// The sum of both.
    public static func + (first: Usage, second: Usage) -> Usage {
        var sum = Usage(
            inputTokens: first.inputTokens.addingClamped(second.inputTokens),
            cachedInputTokens: first.cachedInputTokens.addingClamped(second.cachedInputTokens),
            outputTokens: first.outputTokens.addingClamped(second.outputTokens),
            reasoningTokens: first.reasoningTokens.addingClamped(second.reasoningTokens),
            totalTokens: first.totalTokens.addingClamped(second.totalTokens))
        if !first.details.isEmpty || !second.details.isEmpty {
            sum.details = Modality.allCases.map { first[$0] + second[$0] }
        }
        return sum
    }

    /// Adds the other to this.
    public static func += (first: inout Usage, second: Usage) { first = first + second }
}

extension Usage {
    /// The `usage` of a response, an answer of a voice session or the chat API, whose names differ; `nil` if it is missing.
    /// Tokens of an unknown kind count as text.
    package init?(json: JSONValue?) {
        guard let json, json.object != nil else { return nil }
        // The sums of a hostile server's counts must not trap.
        func count(_ value: JSONValue?) -> Int? { value?.integer.map { min(max($0, 0), 1 << 40) } }
        let input = count(json["input_tokens"]) ?? count(json["prompt_tokens"])
        let output = count(json["output_tokens"]) ?? count(json["completion_tokens"])
        guard input != nil || output != nil else { return nil }
        let inputs = json["input_tokens_details"] ?? json["input_token_details"] ?? json["prompt_tokens_details"]
        let outputs = json["output_tokens_details"] ?? json["output_token_details"] ?? json["completion_tokens_details"]
        let cached = inputs?["cached_tokens_details"]
        func tokens(_ name: String) -> Usage {
            let input = count(inputs?[name]) ?? 0
            return Usage(
                inputTokens: input, cachedInputTokens: min(count(cached?[name]) ?? 0, input),
                outputTokens: count(outputs?[name]) ?? 0)
        }
        let (audio, image) = (tokens("audio_tokens"), tokens("image_tokens"))
        let others = audio + image
        let known = tokens("text_tokens")
        let textInput = max(known.inputTokens, (input ?? 0) - others.inputTokens)
        let textOutput = max(known.outputTokens, (output ?? 0) - others.outputTokens)
        let textCached = max(
            known.cachedInputTokens, (count(inputs?["cached_tokens"]) ?? 0) - others.cachedInputTokens)
        let isText = others.totalTokens == 0
        let text = Usage(
            inputTokens: textInput, cachedInputTokens: min(textCached, textInput), outputTokens: textOutput,
            reasoningTokens: min(count(outputs?["reasoning_tokens"]) ?? 0, textOutput),
            totalTokens: isText ? count(json["total_tokens"]) : nil)
        self = isText ? text : Usage(text: text, audio: audio, image: image)
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
