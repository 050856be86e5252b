// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import AudioKitLinux

/// The loudspeaker's sound over time, from a playback stream's announcements: its loudness in the room at an instant.
struct HeardSound {
    private struct Block {
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
        let power: Float
        let peak: Float
    }

    /// The time for which the room rings after the loudspeaker, including the error of a wrong delay.
    private static let ringing = Duration.milliseconds(300)
    /// The time by which an echo may seem earlier than announced; and earlier or later, when the instants are not
    /// steady.
    private static let doubt = Duration.milliseconds(60)
    private static let muchDoubt = Duration.seconds(1)
    /// The decay of the room's ringing, in decibels for each second.
    private static let decay = 50.0
    private static let blockFrames = 240

    private var blocks: [Block] = []

    /// Adds an announcement.
    mutating func follow(_ announcement: PlaybackAnnouncement) {
        switch announcement {
        case .flushed(let instant): blocks.removeAll { $0.start >= instant }
        case .playing(let piece):
            let format = piece.buffer.format
            for first in stride(from: 0, to: piece.buffer.frameCount, by: Self.blockFrames) {
                let end = min(piece.buffer.frameCount, first + Self.blockFrames)
                var sum: Float = 0
                var peak: Float = 0
                for sample in piece.buffer.samples[first..<end] {
                    sum += sample * sample
                    peak = max(peak, abs(sample))
                }
                blocks.append(
                    Block(
                        start: piece.audibleAt + format.duration(ofFrames: first),
                        end: piece.audibleAt + format.duration(ofFrames: end), power: sum / Float(end - first),
                        peak: peak))
            }
        }
    }

    /// Drops sound that is too old for questions about `instant` and later.
    mutating func forget(before instant: ContinuousClock.Instant) {
        let limit = instant - Self.muchDoubt * 2
        if let first = blocks.first, first.end < limit { blocks.removeAll { $0.end < limit } }
    }

    /// The highest sample that was played from `start` to `end`.
    func peak(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Float {
        blocks.reduce(0) { $1.start < end && $1.end > start ? max($0, $1.peak) : $0 }
    }

    /// The loudest power that the loudspeaker's sound may still have in the room from `start` to `end`, as a mean
    /// square: of its loudest 10 ms, with past sound decayed by its age. `isSteady` is true if the devices' instants
    /// are reliable.
    func envelope(
        from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, isSteady: Bool = true
    ) -> Double {
        let doubt = isSteady ? Self.doubt : Self.muchDoubt
        let ringing = max(doubt, Self.ringing)
        var loudest = 0.0
        for block in blocks where block.start < end + doubt && block.end > start - ringing {
            let age = max(0, (start - doubt - block.end) / .seconds(1))
            loudest = max(loudest, Double(block.power) * Decibels.power(-Self.decay * age))
        }
        return loudest
    }
}
