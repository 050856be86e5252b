// SPDX-License-Identifier: MIT

public import AudioBuffers

/// Finds one wake word in a stream of sound, continuously; one stream at a time.
public protocol WakeWordSpotter: Sendable {
    /// The format of every buffer that ``spot(_:at:)`` takes.
    var format: AudioFormat { get }

    /// Takes the stream's next sound, of any length.
    ///
    /// - Parameters:
    ///   - sound: The sound in ``format``.
    ///   - position: The index of its first frame in the stream. A gap ends what was heard before it.
    /// - Returns: The wake words that are certain by now, in order; seldom more than one.
    /// - Throws: The engine's error.
    func spot(_ sound: AudioBuffer, at position: Int) async throws -> [WakeWordSighting]
}

/// A wake word that was heard.
public struct WakeWordSighting: Sendable, Hashable {
    /// The frames of the stream in which it was said.
    public let range: Range<Int>
    /// The confidence, from 0 to 1.
    public let score: Double

    /// Makes a sighting.
    public init(range: Range<Int>, score: Double) {
        self.range = range
        self.score = score
    }
}
