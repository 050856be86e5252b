// SPDX-License-Identifier: MIT

/// The models and voices of a service.
public struct SpeechServiceOffer: Sendable, Hashable {
    /// A model or a voice.
    public struct Item: Sendable, Hashable {
        /// The id that a request names.
        public var id: String
        /// The name for a person; the id if the service has no other.
        public var name: String
        /// The languages as the service writes them; empty if it does not tell.
        public var languages: [String]

        /// Makes an item.
        public init(id: String, name: String? = nil, languages: [String] = []) {
            self.id = id
            self.name = name ?? id
            self.languages = languages
        }
    }

    /// The models that recognise, or that the service does not say more about.
    public var recognitionModels: [Item] = []
    /// The models that speak.
    public var synthesisModels: [Item] = []
    /// The voices.
    public var voices: [Item] = []
    /// True if words appear while somebody speaks.
    public var streamsTranscripts = false
    /// True if a text may be sent sentence by sentence.
    public var streamsSynthesis = false

    /// Nothing.
    public init() {}
}

/// The result of asking a service for what it offers, for `doctor`.
public struct SpeechServiceReport: Sendable {
    /// The service's name in messages.
    public var name: String
    /// The offer, or the reason that there is none.
    public var result: Result<SpeechServiceOffer, SpeechServiceError>
    /// The time from the question to the whole answer.
    public var elapsed: Duration
    /// True if sound crosses a network without protection.
    public var isUnprotected: Bool

    /// Makes a report.
    public init(
        name: String, result: Result<SpeechServiceOffer, SpeechServiceError>, elapsed: Duration,
        isUnprotected: Bool = false
    ) {
        self.name = name
        self.result = result
        self.elapsed = elapsed
        self.isUnprotected = isUnprotected
    }
}
