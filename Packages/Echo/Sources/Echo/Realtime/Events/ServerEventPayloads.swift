// SPDX-License-Identifier: MIT

/// The part of an answer that an event is about.
struct AnswerPlace: Sendable, Hashable {
    /// The answer's id; empty if the API omits it.
    var responseID: String
    /// The item's id.
    var itemID: String
    /// The item's index in the answer's output.
    var outputIndex: Int = 0
    /// The part's index in the item's content.
    var contentIndex: Int = 0
}

/// The transcript of the user's speech.
struct RealtimeTranscript: Sendable, Hashable {
    /// The item's id.
    var itemID: String
    /// The part's index in the item's content.
    var contentIndex: Int = 0
    /// The text.
    var text: String
    /// The usage.
    var usage: TranscriptionUsage?
    /// The languages of the speech, in ISO 639-1.
    var languages: [String] = []
    /// The log probability of each token, if requested.
    var logprobs: [JSONValue] = []
}

/// A piece of a transcript with its speaker.
struct RealtimeTranscriptSegment: Sendable, Hashable {
    /// The segment's id.
    var id: String
    /// The item's id.
    var itemID: String
    /// The part's index in the item's content.
    var contentIndex: Int = 0
    /// The text.
    var text: String
    /// The speaker, as the server tells speakers apart.
    var speaker: String
    /// The beginning, in seconds of the part's sound.
    var start: Double
    /// The end, in seconds of the part's sound.
    var end: Double
}

/// A rate limit, and the rest of it.
struct RealtimeRateLimit: Sendable, Hashable {
    /// `requests` or `tokens`.
    var name: String
    /// The limit.
    var limit: Int?
    /// The number that is left.
    var remaining: Int?
    /// The seconds until all are available again.
    var resetSeconds: Double?
}
