// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// A model's answer, for all endpoints alike.
    public struct Answer: Sendable {
        /// The items, in order.
        public var items: [Item]
        /// The status at the answer's end.
        public var status: Status
        /// Usage that is reported instead of an estimate.
        public var usage: Usage?
        /// True if the items of an answer of `/v1/realtime` are sent piece by piece in turns, and not one after the
        /// other.
        public var isInterleaved: Bool

        /// An answer; empty and complete by default.
        public init(
            items: [Item] = [], status: Status = .completed, usage: Usage? = nil, isInterleaved: Bool = false
        ) {
            self.items = items
            self.status = status
            self.usage = usage
            self.isInterleaved = isInterleaved
        }
    }

    /// A part of an answer.
    public enum Item: Sendable {
        /// Text.
        case message(String)
        /// A refusal in place of text.
        case refusal(String)
        /// A call of a function, with arguments in JSON; without an identifier it gets one.
        case functionCall(name: String, arguments: String, id: String? = nil)
        /// The model's reasoning.
        case reasoning(summary: [String], isEncrypted: Bool = false)
        /// An item of `/v1/responses`, word for word; it is sent as a whole. `/v1/chat/completions` leaves it out.
        case raw(JSONValue)
    }

    /// The status of an answer's end.
    public enum Status: Sendable, Hashable {
        /// Complete.
        case completed
        /// Cut off early: `max_output_tokens` or `content_filter`.
        case incomplete(reason: String)
        /// With an error of the server's.
        case failed(code: String, message: String)
    }

    /// Tokens, as they are reported.
    public struct Usage: Sendable, Hashable {
        /// Input tokens, those in the cache included.
        public var input: Int
        /// Input tokens in the cache.
        public var cached: Int
        /// Output tokens, reasoning included.
        public var output: Int
        /// Output tokens of reasoning.
        public var reasoning: Int
        /// Of the input tokens of a `/v1/realtime` answer, those of sound.
        public var inputAudio: Int
        /// Of the output tokens of a `/v1/realtime` answer, those of sound.
        public var outputAudio: Int

        /// Token counts.
        public init(
            input: Int, cached: Int = 0, output: Int, reasoning: Int = 0, inputAudio: Int = 0, outputAudio: Int = 0
        ) {
            self.input = input
            self.cached = cached
            self.output = output
            self.reasoning = reasoning
            self.inputAudio = inputAudio
            self.outputAudio = outputAudio
        }
    }
}
