// SPDX-License-Identifier: MIT

/// The part of an answer that an event is about.
public struct AnswerPlace: Sendable, Hashable {
    /// The answer's id; empty if the API omits it.
    public var responseID: String
    /// The item's id.
    public var itemID: String
    /// The item's index in the answer's output.
    public var outputIndex: Int
    /// The part's index in the item's content.
    public var contentIndex: Int

    /// The place of a part.
    public init(responseID: String, itemID: String, outputIndex: Int = 0, contentIndex: Int = 0) {
        self.responseID = responseID
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.contentIndex = contentIndex
    }
}

/// The transcript of the user's speech.
public struct RealtimeTranscript: Sendable, Hashable {
    /// The item's id.
    public var itemID: String
    /// The part's index in the item's content.
    public var contentIndex: Int
    /// The text.
    public var text: String
    /// The usage.
    public var usage: TranscriptionUsage?
    /// The languages of the speech, in ISO 639-1.
    public var languages: [String]
    /// The log probability of each token, if requested.
    public var logprobs: [JSONValue]

    /// A transcript.
    public init(
        itemID: String, contentIndex: Int = 0, text: String, usage: TranscriptionUsage? = nil, languages: [String] = [],
        logprobs: [JSONValue] = []
    ) {
        self.itemID = itemID
        self.contentIndex = contentIndex
        self.text = text
        self.usage = usage
        self.languages = languages
        self.logprobs = logprobs
    }
}

/// A piece of a transcript with its speaker.
public struct RealtimeTranscriptSegment: Sendable, Hashable {
    /// The segment's id.
    public var id: String
    /// The item's id.
    public var itemID: String
    /// The part's index in the item's content.
    public var contentIndex: Int
    /// The text.
    public var text: String
    /// The speaker, as the server tells speakers apart.
    public var speaker: String
    /// The beginning, in seconds of the part's sound.
    public var start: Double
    /// The end, in seconds of the part's sound.
    public var end: Double

    /// A segment.
    public init(
        id: String, itemID: String, contentIndex: Int = 0, text: String, speaker: String, start: Double, end: Double
    ) {
        self.id = id
        self.itemID = itemID
        self.contentIndex = contentIndex
        self.text = text
        self.speaker = speaker
        self.start = start
        self.end = end
    }
}

/// A rate limit, and the rest of it.
public struct RealtimeRateLimit: Sendable, Hashable {
    /// `requests` or `tokens`.
    public var name: String
    /// The limit.
    public var limit: Int?
    /// The number that is left.
    public var remaining: Int?
    /// The seconds until all are available again.
    public var resetSeconds: Double?

    /// A limit.
    public init(name: String, limit: Int? = nil, remaining: Int? = nil, resetSeconds: Double? = nil) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
        self.resetSeconds = resetSeconds
    }
}
