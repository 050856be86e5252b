// SPDX-License-Identifier: MIT

/// Cuts a recording at its pauses into pieces for the recogniser: long enough for context, short enough for bounded
/// memory in recordings of any length. A pure state machine; positions are samples of 16 kHz.
struct SpeechPieces {
    /// The length of a pause that ends a piece.
    static let longPause = 12_800
    /// The greatest length of a piece, without margins; a single stretch of speech is never longer
    /// (``SpeechTimeline``).
    static let longest = 30 * 16_000
    /// The margin around the speech of a piece; at most half of the pause beside it.
    static let margin = 4_800

    private var open: Range<Int>?
    /// The end of the last piece's speech.
    private var lastEnd = 0

    /// The sample before which no sound is needed any more; `isInSpeech` is true if speech is in progress at
    /// `position`.
    func needed(at position: Int, isInSpeech: Bool) -> Int {
        // Speech in progress began at most the longest stretch ago, and speech that is not detected yet at most a
        // second ago.
        let underWay = position - (isInSpeech ? Self.longest : 16_000)
        return max(0, min(open?.lowerBound ?? position, underWay) - Self.margin)
    }

    /// Adds the next stretch of speech; returns the piece that this completes, with its margins.
    mutating func add(_ speech: Range<Int>) -> Range<Int>? {
        guard let current = open else {
            open = speech
            return nil
        }
        let pause = speech.lowerBound - current.upperBound
        guard pause >= Self.longPause || speech.upperBound - current.lowerBound > Self.longest else {
            open = current.lowerBound..<speech.upperBound
            return nil
        }
        let piece = close(current, before: speech.lowerBound)
        open = speech
        return piece
    }

    /// The piece that is complete because there was no speech for long at `position`.
    mutating func pass(_ position: Int, isInSpeech: Bool) -> Range<Int>? {
        guard let current = open, !isInSpeech, position - current.upperBound >= Self.longPause + 16_000 else {
            return nil
        }
        return close(current, before: position)
    }

    /// The last piece of a recording of `length` samples.
    mutating func finish(length: Int) -> Range<Int>? {
        open.map { close($0, before: length + Self.margin) }.map { $0.clamped(to: 0..<length) }
    }

    private mutating func close(_ piece: Range<Int>, before next: Int) -> Range<Int> {
        let start = max(piece.lowerBound - Self.margin, (piece.lowerBound + lastEnd) / 2)
        let end = min(piece.upperBound + Self.margin, (piece.upperBound + next) / 2)
        lastEnd = piece.upperBound
        open = nil
        return max(0, start)..<max(start, end)
    }
}
