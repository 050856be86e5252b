// SPDX-License-Identifier: MIT

/// Computes the probability that each 10 ms of a stream of sound hold speech.
///
/// A detector keeps state between calls: one detector for one stream, `reset()` before another one.
public protocol VoiceActivityDetector {
    /// The rate in hertz of the samples for `process`.
    static var sampleRate: Int { get }

    /// Processes the next `samples` (mono, −1…1, any number) and returns the probability of speech, 0…1, of each
    /// further 10 ms frame that is now known, in order. No frame is left out: a later call returns the undecided ones.
    mutating func process(_ samples: [Float]) -> [Float]

    /// Ends the stream: returns the remaining frames, the last one if it is at least half full, and resets.
    mutating func finish() -> [Float]

    /// Drops the stream.
    mutating func reset()
}

extension Float {
    /// The value as a converter to 16 bit would take it: clipped to −1…1, and 0 for not-a-number.
    @inline(__always)
    var clippedSample: Float {
        // Also false for not-a-number.
        abs(self) <= 1 ? self : self > 1 ? 1 : self < -1 ? -1 : 0
    }
}
