// SPDX-License-Identifier: MIT

extension WakeWordDetector {
    /// The thresholds of the detector.
    public struct Configuration: Sendable, Hashable {
        /// From 0 (wakes up seldom) to 1 (wakes up easily). At 0.5 the phrase has to be likelier than not.
        public var sensitivity: Double = 0.5
        /// The subtraction from ``sensitivity`` while the app plays sound itself: 0 changes nothing.
        public var playingPenalty: Double = 0.3
        /// The time from ``Detection/commandStart`` to the phrase's end: the detected end is right to some hundredths
        /// of a second, and a first consonant must not be cut off.
        public var preRoll: Duration = .milliseconds(50)

        /// Makes the configuration of the published figures.
        public init() {}

        /// The configuration of the published figures.
        public static let standard = Configuration()
    }

    /// A detection of the phrase. All positions are sample indices of the stream, as they were passed to
    /// ``WakeWordDetector/process(_:at:)``.
    public struct Detection: Sendable, Hashable {
        /// The phrase that was said.
        public let phrase: Phrase
        /// From the phrase's first sample to the one after its last, right to about a tenth of a second.
        public let range: Range<Int>
        /// The confidence, from 0 to 1; the configuration sets the score from which the detector wakes up.
        public let score: Double
        /// The end of the stream at the time of the detection, about 0.4 s after the end of ``range``.
        public let detectedAt: Int
        /// The earliest start of a command in the same breath: the end of ``range`` less the pre-roll. Keep
        /// ``WakeWordDetector/longestDelay`` of sound in a ring, and pass a recogniser the sound from here on.
        public let commandStart: Int
    }
}
