// SPDX-License-Identifier: MIT

/// The settings of voice activity detection.
public struct VADConfiguration: Sendable, Hashable, Codable {
    /// The detector.
    public enum Detector: Sendable, Hashable, Codable {
        /// Loudness: ``VADConfiguration/threshold`` and ``VADConfiguration/silenceDuration`` decide.
        case loudness
        /// A model that also judges from the words that the user has finished.
        case semantic(Eagerness)
    }

    /// The semantic detector's readiness to end a turn.
    public struct Eagerness: RawRepresentable, Sendable, Hashable, Codable {
        /// The API's word.
        public let rawValue: String

        /// An eagerness by the API's word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// After 8 s of doubt at the latest.
        public static let low = Eagerness(rawValue: "low")
        /// After 4 s of doubt at the latest.
        public static let medium = Eagerness(rawValue: "medium")
        /// After 2 s of doubt at the latest.
        public static let high = Eagerness(rawValue: "high")
        /// The server's choice; at present the same as medium.
        public static let auto = Eagerness(rawValue: "auto")
    }

    /// The detector.
    public var detector: Detector
    /// The least loudness of speech, from 0 to 1. For ``Detector/loudness`` only.
    public var threshold: Double
    /// The silence that ends a turn. For ``Detector/loudness`` only.
    public var silenceDuration: Duration
    /// The sound before the beginning of speech that belongs to it. For ``Detector/loudness`` only.
    public var prefixPadding: Duration
    /// True if the server begins to answer by itself when the turn is over. If false, the client requests the answer,
    /// which costs one round trip and makes it impossible to request two answers at once.
    public var createsResponse: Bool
    /// True if the server stops its answer by itself when it hears speech. If false, the client decides, so that an
    /// answer that a cough interrupted can continue.
    public var interruptsResponse: Bool
    /// The user's silence after which the server speaks; `nil` for never. For ``Detector/loudness`` only.
    public var idleTimeout: Duration?

    /// Detection by loudness, with the client deciding about answers and interruptions.
    public init(
        threshold: Double = 0.5, silenceDuration: Duration = .milliseconds(500),
        prefixPadding: Duration = .milliseconds(300), createsResponse: Bool = false, interruptsResponse: Bool = false,
        idleTimeout: Duration? = nil
    ) {
        detector = .loudness
        self.threshold = threshold
        self.silenceDuration = silenceDuration
        self.prefixPadding = prefixPadding
        self.createsResponse = createsResponse
        self.interruptsResponse = interruptsResponse
        self.idleTimeout = idleTimeout
    }

    /// Detection by the words, with the client deciding about answers and interruptions.
    public static func semantic(_ eagerness: Eagerness = .auto) -> VADConfiguration {
        var configuration = VADConfiguration()
        configuration.detector = .semantic(eagerness)
        return configuration
    }
}

/// The rule that ends the user's turn in a voice conversation.
public enum TurnDetection: Sendable, Hashable, Codable {
    /// The server detects speech: the turn is over when the user falls silent.
    case automatic(VADConfiguration)
    /// The program begins and ends turns, as with a button that is held while speaking.
    case manual
    /// No detection: sound is neither committed nor answered unless the program asks for it, and speech interrupts
    /// nothing.
    case disabled
}
