// SPDX-License-Identifier: MIT

/// Tells how likely each 10 ms of a stream of sound are to hold speech.
///
/// A detector keeps state between calls: one detector for one stream, `reset()` before another one.
public protocol VoiceActivityDetector {
    /// The rate in hertz that `process` takes.
    static var sampleRate: Int { get }

    /// Takes the next `samples` (mono, −1…1, any number) and returns the probability of speech, 0…1, of each further
    /// 10 ms frame that is now known, in order. No frame is left out: what is still undecided comes with a later call.
    mutating func process(_ samples: [Float]) -> [Float]

    /// Ends the stream: returns the frames still owed, the last one counted when it is at least half full, and resets.
    mutating func finish() -> [Float]

    /// Forgets the stream.
    mutating func reset()
}

extension Float {
    /// The value as a converter to 16 bit would take it: clipped to −1…1, and 0 for what is no number.
    @inline(__always)
    var clippedSample: Float {
        // Also false for what is no number.
        abs(self) <= 1 ? self : self > 1 ? 1 : self < -1 ? -1 : 0
    }
}
