// SPDX-License-Identifier: MIT

/// The thresholds of an ``Endpointer``, raised where people talk in the background or a noise resembles speech.
///
/// The measure is the mean probability of the frames between utterances, over some three seconds. In a calm room it is
/// near 0; where it reaches 0.4, the thresholds have gone the configured share of the way to 1.
struct RoomThreshold: Sendable {
    private static let rate: Float = 1 / 300
    private static let worstRoom: Float = 0.4

    private let configuration: Endpointer.Configuration
    private var unrest: Float = 0

    /// Starts with a calm room.
    init(_ configuration: Endpointer.Configuration) { self.configuration = configuration }

    /// What a frame must reach to begin speech.
    var speech: Float { raised(configuration.speechThreshold) }

    /// What a frame must reach to go on.
    var silence: Float { raised(min(configuration.silenceThreshold, configuration.speechThreshold)) }

    /// Takes the probability of a frame outside speech.
    mutating func observeSilence(_ probability: Float) { unrest += Self.rate * (min(probability, 1) - unrest) }

    private func raised(_ threshold: Float) -> Float {
        threshold + (1 - threshold) * configuration.roomAdaptation * min(1, unrest / Self.worstRoom)
    }
}
