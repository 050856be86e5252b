// SPDX-License-Identifier: MIT

/// The length of the pause after which a question is over: 170 ms after words that hardly ever go on, 260 ms after a whole
/// sentence that often does. The rest of the evidence changes nothing yet.
public struct PausePolicy: Sendable, Hashable {
    /// The knowledge about a pause when it begins.
    public struct Evidence: Sendable, Hashable {
        /// True for words that hardly ever go on, false for a whole sentence that often does.
        public var isCertain: Bool
        /// The recogniser's confidence in the words, 0…1.
        public var confidence: Double
        /// The way in which the voice ended.
        public var contour: SpeechContour
        /// The pauses that the person makes within sentences: ``PauseHabit/usual``.
        public var usualPause: Duration

        /// Gathers evidence.
        public init(
            isCertain: Bool, confidence: Double, contour: SpeechContour = .unknown, usualPause: Duration = .zero
        ) {
            self.isCertain = isCertain
            self.confidence = confidence
            self.contour = contour
            self.usualPause = usualPause
        }
    }

    /// The default policy.
    public init() {}

    /// The pause after this evidence.
    public func pause(after evidence: Evidence) -> Duration {
        evidence.isCertain ? .milliseconds(170) : .milliseconds(260)
    }
}

/// The pauses that a person makes within sentences.
public struct PauseHabit: Sendable, Hashable {
    /// The greatest of the last ones; it fades. Zero for somebody who makes none.
    public private(set) var usual = Duration.zero

    /// A person of whom nothing is known.
    public init() {}

    /// The person paused for so long and went on.
    public mutating func paused(for pause: Duration) { usual = max(pause, usual) }

    /// The sentence is over.
    public mutating func ended() { usual = usual * 4 / 5 }
}
