// SPDX-License-Identifier: MIT

/// What part of an answer an event is about.
public struct AnswerPlace: Sendable, Hashable {
    /// The answer; empty where the API does not say it.
    public var responseID: String
    /// The item.
    public var itemID: String
    /// The item's place in the answer's output.
    public var outputIndex: Int
    /// The part's place in the item's content.
    public var contentIndex: Int

    /// A place.
    public init(responseID: String, itemID: String, outputIndex: Int = 0, contentIndex: Int = 0) {
        self.responseID = responseID
        self.itemID = itemID
        self.outputIndex = outputIndex
        self.contentIndex = contentIndex
    }
}

/// What the user said, as text.
public struct RealtimeTranscript: Sendable, Hashable {
    /// The item.
    public var itemID: String
    /// The part's place in the item's content.
    public var contentIndex: Int
    /// The text.
    public var text: String
    /// What it used.
    public var usage: TranscriptionUsage?
    /// The languages that were heard, in ISO 639-1.
    public var languages: [String]
    /// How likely each token was, if that was asked for.
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

/// A piece of what the user said, with who said it.
public struct RealtimeTranscriptSegment: Sendable, Hashable {
    /// The segment's name.
    public var id: String
    /// The item.
    public var itemID: String
    /// The part's place in the item's content.
    public var contentIndex: Int
    /// The text.
    public var text: String
    /// Who said it, as the server tells speakers apart.
    public var speaker: String
    /// Where it begins, in seconds of the part's sound.
    public var start: Double
    /// Where it ends, in seconds of the part's sound.
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

/// What may still be asked for.
public struct RealtimeRateLimit: Sendable, Hashable {
    /// `requests` or `tokens`.
    public var name: String
    /// How many there are in all.
    public var limit: Int?
    /// How many are left.
    public var remaining: Int?
    /// In how many seconds all are there again.
    public var resetSeconds: Double?

    /// A limit.
    public init(name: String, limit: Int? = nil, remaining: Int? = nil, resetSeconds: Double? = nil) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
        self.resetSeconds = resetSeconds
    }
}
