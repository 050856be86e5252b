// SPDX-License-Identifier: MIT

/// The settings of voice activity detection.
public struct VADConfiguration: Sendable, Hashable {
    /// The detector.
    public enum Detector: Sendable, Hashable {
        /// Loudness: ``VADConfiguration/threshold`` and ``VADConfiguration/silenceDuration`` decide.
        case loudness
        /// A model that also judges by what is said whether the user has finished.
        case semantic(Eagerness)
    }

    /// The semantic detector's readiness to end a turn.
    public struct Eagerness: RawRepresentable, Sendable, Hashable {
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
        /// As the server likes; at present the same as medium.
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
    /// True if the server begins to answer by itself when the turn is over. Without it the client asks for the answer,
    /// which costs one way to the server and back, and makes it impossible that two answers are asked for at once.
    public var createsResponse: Bool
    /// True if the server stops its answer by itself when it hears speech. Without it the client decides, so that an
    /// answer which a cough interrupted can go on.
    public var interruptsResponse: Bool
    /// After how long a silence of the user the server speaks up; `nil` for never. For ``Detector/loudness`` only.
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

    /// Detection by what is said, with the client deciding about answers and interruptions.
    public static func semantic(_ eagerness: Eagerness = .auto) -> VADConfiguration {
        var configuration = VADConfiguration()
        configuration.detector = .semantic(eagerness)
        return configuration
    }
}
