// SPDX-License-Identifier: MIT

extension Endpointer {
    /// The thresholds and durations that decide the beginning and the end of speech.
    ///
    /// The two thresholds differ, so that a probability that wavers between them changes nothing (hysteresis).
    public struct Configuration: Sendable, Hashable {
        /// The probability from which a frame counts towards a beginning, 0…1.
        public var speechThreshold: Float = 0.5
        /// The probability below which a frame within speech counts as silence, 0…1, at most ``speechThreshold``.
        public var silenceThreshold: Float = 0.3
        /// The rise of both thresholds in a room where voices or noise keep the probabilities up, 0…1: this share of
        /// the way to 1 in the worst room. 0 keeps them fixed.
        public var roomAdaptation: Float = 0.6
        /// The speech that makes a beginning.
        public var onset: Duration = .milliseconds(60)
        /// The least speech of an utterance; less is a click or a cough.
        public var minimumSpeech: Duration = .milliseconds(150)
        /// The length of a pause that ends an utterance.
        public var minimumSilence: Duration = .milliseconds(700)
        /// The length of a pause before `pauseBegan`: time to check the words so far. Shorter than ``minimumSilence``.
        public var shortPause: Duration = .milliseconds(60)
        /// The longest utterance, pre-roll included; longer ones are cut.
        public var longestSpeech: Duration = .seconds(20)
        /// The time by which an utterance begins before the first speech, for soft first consonants.
        public var preRoll: Duration = .milliseconds(300)
        /// Samples in a frame: 160 for 10 ms of 16 kHz.
        public var frameLength: Int = 160
        /// The stream's rate in hertz.
        public var sampleRate: Int = 16_000

        /// Makes the default configuration, which suits ``SpectralDetector``.
        public init() {}

        /// For ``SpectralDetector``.
        public static let spectral = Configuration()

        /// For ``SileroDetector``, whose probabilities are higher.
        public static let silero = {
            var configuration = Configuration()
            configuration.speechThreshold = 0.7
            configuration.silenceThreshold = 0.6
            return configuration
        }()

        func samples(_ duration: Duration) -> Int {
            let (seconds, attoseconds) = duration.components
            return Int(seconds) * sampleRate + Int(attoseconds / 1_000_000_000) * sampleRate / 1_000_000_000
        }
    }
}

/// The thresholds of an ``Endpointer``, raised if people talk in the background or a noise resembles speech.
///
/// The measure is the mean probability of the frames between utterances, over some three seconds. In a calm room it is
/// near 0; from 0.4 on, the thresholds have gone the configured share of the way to 1.
struct RoomThreshold: Sendable {
    private static let rate: Float = 1 / 300
    private static let worstRoom: Float = 0.4

    private let configuration: Endpointer.Configuration
    private var unrest: Float = 0

    /// Starts with a calm room.
    init(_ configuration: Endpointer.Configuration) { self.configuration = configuration }

    /// The probability that a frame must reach to begin speech.
    var speech: Float { raised(configuration.speechThreshold) }

    /// The probability that a frame must reach to continue speech.
    var silence: Float { raised(min(configuration.silenceThreshold, configuration.speechThreshold)) }

    /// Adds the probability of a frame outside speech.
    mutating func observeSilence(_ probability: Float) { unrest += Self.rate * (min(probability, 1) - unrest) }

    private func raised(_ threshold: Float) -> Float {
        threshold + (1 - threshold) * configuration.roomAdaptation * min(1, unrest / Self.worstRoom)
    }
}
