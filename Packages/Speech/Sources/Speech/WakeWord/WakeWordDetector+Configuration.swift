// SPDX-License-Identifier: MIT

extension WakeWordDetector {
    /// How easily the detector wakes up.
    public struct Configuration: Sendable, Hashable {
        /// From 0 (wakes up seldom) to 1 (wakes up easily). At 0.5 the phrase has to be likelier than not.
        public var sensitivity: Double = 0.5
        /// How much surer it has to be while we play sound ourselves, as a step of ``sensitivity``: 0 changes nothing.
        public var playingPenalty: Double = 0.3
        /// How far before the phrase's end ``Detection/commandStart`` lies: what is found is right to some hundredths of a
        /// second, and a first consonant must not be cut off.
        public var preRoll: Duration = .milliseconds(50)

        /// Makes the configuration that the published figures hold for.
        public init() {}

        /// The configuration that the published figures hold for.
        public static let standard = Configuration()
    }

    /// The phrase was said. All positions are sample indices of the stream, as they were given to
    /// ``WakeWordDetector/process(_:at:)``.
    public struct Detection: Sendable, Hashable {
        /// What was said.
        public let phrase: Phrase
        /// From the phrase's first sample to the one after its last, right to about a tenth of a second.
        public let range: Range<Int>
        /// How sure it is, from 0 to 1; the detector wakes up from a score on that its configuration sets.
        public let score: Double
        /// How far the stream had been heard when this was found, about 0.4 s after the end of ``range``.
        public let detectedAt: Int
        /// Where a command that follows in the same breath begins at the earliest: the end of ``range`` less the pre-roll.
        /// Keep ``WakeWordDetector/longestDelay`` of sound in a ring, and give a recogniser what it has from here on.
        public let commandStart: Int
    }
}
