// SPDX-License-Identifier: MIT

public import Networking

/// The configuration of an ``Echo``: models, server, limits.
public struct EchoConfiguration: Sendable {
    /// The model for text.
    public var responsesModel = ResponsesModel.gpt5
    /// The model for voice.
    public var realtimeModel = RealtimeModel.gptRealtime
    /// The model for vectors, where a call names none.
    public var embeddingModel = EmbeddingModel.textEmbedding3Small
    /// The server.
    public var endpoint = EchoEndpoint.openAI
    /// The effort of the model's reasoning, in text and voice; `nil` leaves it to the server. Voice sends it where
    /// ``RealtimeModel/reasons`` is true.
    public var reasoning: Reasoning?
    /// The most tokens of an answer, in text and voice, reasoning included; `nil` uses the model's own limit. In voice
    /// the model's own limit holds if it is smaller.
    public var maximumOutputTokens: Int?
    /// The limit of tokens for input and answer together; `nil` uses the model's own. The oldest part of a history that
    /// does not fit is not sent, in text and voice.
    public var contextWindow: Int?
    /// True if the server may keep answers, for 30 days at OpenAI, so that a request contains only new items. Otherwise
    /// each request contains the whole conversation.
    public var keepsResponses = true
    /// The prices of tokens of text requests.
    public var prices = PriceTable.published
    /// The prices of voice.
    public var voicePrices = PriceTable.publishedRealtime
    /// The limit of the cost of all requests together in US dollars; `nil` for none. The request after the one that
    /// exceeds it is refused with ``EchoError/budgetExceeded(spent:limit:)``.
    public var budget: Double?
    /// The limits of requests and tokens a minute, and of the waits for them, in text and voice.
    public var requestLimits = RequestLimits()
    /// The rules for retrying. By default no request that took too long is retried: the model may
    /// have been at work all the time.
    public var retry: RetryPolicy? = Self.standardRetry
    /// The time the server may take to begin its answer; without streaming, to finish it.
    public var responseTimeout = Duration.seconds(600)
    /// The longest silence of a stream.
    public var streamIdleTimeout = Duration.seconds(300)
    /// The limit of resumptions of a broken stream without an event in between, where the API allows them.
    public var maximumResumptions = 3
    /// The transport of the requests; `nil` makes a `CurlTransport`. Several clients may share one.
    public var transport: (any HTTPTransport)?
    /// A `VoiceConfiguration`, which the module Echo reads and sets as `voice`; `nil` for its defaults.
    package var voiceSettings: (any Sendable)?

    /// A configuration. The defaults: gpt-5 at OpenAI, no budget. The other settings are properties.
    public init(
        responsesModel: ResponsesModel = .gpt5, realtimeModel: RealtimeModel = .gptRealtime,
        embeddingModel: EmbeddingModel = .textEmbedding3Small, endpoint: EchoEndpoint = .openAI,
        reasoning: Reasoning? = nil, maximumOutputTokens: Int? = nil, contextWindow: Int? = nil,
        keepsResponses: Bool = true, budget: Double? = nil, requestLimits: RequestLimits = RequestLimits(),
        retry: RetryPolicy? = EchoConfiguration.standardRetry, transport: (any HTTPTransport)? = nil
    ) {
        self.responsesModel = responsesModel
        self.realtimeModel = realtimeModel
        self.embeddingModel = embeddingModel
        self.endpoint = endpoint
        self.reasoning = reasoning
        self.maximumOutputTokens = maximumOutputTokens
        self.contextWindow = contextWindow
        self.keepsResponses = keepsResponses
        self.budget = budget
        self.requestLimits = requestLimits
        self.retry = retry
        self.transport = transport
    }

    /// The default rules for retrying.
    public static let standardRetry: RetryPolicy = {
        var policy = RetryPolicy()
        policy.exceptions = [.firstByteTimeout, .idleTimeout]
        return policy
    }()

    /// The defaults: gpt-5 at OpenAI, no budget.
    public static let `default` = EchoConfiguration()
}

/// The mode of a conversation: text or voice.
public enum EchoMode: String, Sendable, Hashable, CaseIterable {
    /// By voice, over the realtime API.
    case audio
    /// By text, over the responses API.
    case text
}
