// SPDX-License-Identifier: MIT

/// Cuts a recording at its pauses into pieces for the recogniser: long enough that each has its context, short enough that
/// memory stays bounded however long the recording is. A pure state machine; positions are samples of 16 kHz.
struct SpeechPieces {
    /// After so long a pause a piece is over.
    static let longPause = 12_800
    /// A piece is at most so long, margins not counted; a single stretch of speech is never longer (``SpeechTimeline``).
    static let longest = 30 * 16_000
    /// So much around speech belongs to the piece, or half of the pause beside it.
    static let margin = 4_800

    private var open: Range<Int>?
    /// The end of the last piece's speech.
    private var lastEnd = 0

    /// The sample before which nothing is needed any more, when `isInSpeech` says whether speech is under way at `position`.
    func needed(at position: Int, isInSpeech: Bool) -> Int {
        // What is under way began no further back than the longest stretch, and what has not been found yet a second ago.
        let underWay = position - (isInSpeech ? Self.longest : 16_000)
        return max(0, min(open?.lowerBound ?? position, underWay) - Self.margin)
    }

    /// Takes the next stretch of speech; returns the piece that is over by that, with its margins.
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

    /// The piece that is over since nobody has spoken for long at `position`.
    mutating func pass(_ position: Int, isInSpeech: Bool) -> Range<Int>? {
        guard let current = open, !isInSpeech, position - current.upperBound >= Self.longPause + 16_000 else {
            return nil
        }
        return close(current, before: position)
    }

    /// The last piece of a recording with so many samples.
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
